package io.penstock.console;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.report.StoredCollection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pages of collections: their list, their records, a record, the entries of an index. For one request. */
record CollectionPages(Penstock store, Frame frame) {
    static final String SECTION = "collections";
    private static final String AFTER = "after";
    private static final String INDEX = "index";
    private static final String RECORD = "record";

    /** The records or entries of a page. */
    private static final int ROWS = 50;

    /** A payload up to this is shown whole. */
    private static final int WHOLE_BYTES = 64 << 10;

    /** The front of a larger payload. */
    private static final int FRONT_BYTES = 1 << 10;

    private static final int PREVIEW_CHARS = 160;

    Answer answer(List<String> path) {
        if (path.isEmpty()) {
            return frame.page("Collections", list());
        }
        StoredCollection collection = find(path.getFirst());
        List<String> rest = path.subList(1, path.size());
        String kind = rest.isEmpty() ? AFTER : rest.getFirst();
        return switch (kind + (rest.isEmpty() ? 2 : rest.size())) {
            case AFTER + 2 -> store.read(all -> records(all, collection, rest.isEmpty() ? null : rest.getLast()));
            case RECORD + 2 -> store.read(all -> one(all, collection, key(rest.getLast())));
            case INDEX + 2 -> entries(collection, rest.get(1), null);
            case INDEX + 4 -> entries(collection, rest.get(1), rest.getLast());
            default -> throw Console.noPage();
        };
    }

    /** All collections. */
    Html list() {
        Table table =
                new Table("Collections of the store", "Collection", "Domain", "Key", "Indexes", "#Leaf", "Compression");
        for (StoredCollection each : store.admin().inspect().collections()) {
            table.row(
                    frame.link(each.name(), SECTION, each.name()),
                    domain(each),
                    Html.text(String.join(", ", each.keyTypes())),
                    indexes(each),
                    Words.bytes(each.leafBytes()),
                    Html.text(each.compression().label()));
        }
        return table.html("The store has no collections yet.");
    }

    private Html domain(StoredCollection of) {
        return of.domain().map(name -> frame.link(name, LogPages.SECTION, name)).orElse(Html.text("none"));
    }

    private Html indexes(StoredCollection of) {
        List<Html> links = new ArrayList<>();
        for (StoredCollection.Index each : of.indexes()) {
            String more = (each.unique() ? " (unique)" : "") + (each.ready() ? "" : " (being built)");
            links.add(Html.of("span", frame.link(each.name(), SECTION, of.name(), INDEX, each.name()), Html.text(more))
                    .with("class", INDEX));
        }
        return links.isEmpty() ? Html.text("none") : Html.of("", links);
    }

    private StoredCollection find(String name) {
        return store.admin().inspect().collections().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND, "the store has no such collection; check its name", "collection", name));
    }

    /** @param all reads all of the page at one state, and asks the log for it once */
    private Answer records(Transaction all, StoredCollection collection, @Nullable String after) {
        Scan.Page<Entry<Bytes, Long>> page = page(collection, "", after);
        RecordCollection<Bytes, Bytes> records = store.rawCollection(collection.name());
        Table table = new Table("Records in the order of their keys", "Key", "Value", "#Size");
        for (Entry<Bytes, Long> each : page.records()) {
            Html value = attempt(() -> preview(front(all, records, each.key(), Math.min(FRONT_BYTES, each.value()))));
            table.row(link(frame, collection, each.key()), value, Words.bytes(each.value()));
        }
        Html facts = Html.of(
                "dl",
                Frame.fact("Keys", Html.text(String.join(", ", collection.keyTypes()))),
                Frame.fact("Domain", domain(collection)),
                Frame.fact("Indexes", indexes(collection)));
        return frame.page(
                collection.name(),
                frame.trail(),
                facts,
                table.html(after == null ? "The collection has no records." : "There are no more records."),
                pager(after, page.next(), SECTION, collection.name()));
    }

    private Scan.Page<Entry<Bytes, Long>> page(StoredCollection collection, String index, @Nullable String after) {
        KeySpan<Bytes> span = KeySpan.<Bytes>all().after(after).limit(ROWS);
        return store.admin().inspect().keys(collection.name(), index, span).page();
    }

    /** @param path of the list; of its later pages with a token behind {@code after} */
    private Html pager(@Nullable String after, Optional<String> next, String... path) {
        String[] later = Arrays.copyOf(path, path.length + 2);
        later[path.length] = AFTER;
        return Frame.pager(
                after == null ? Html.text("") : frame.link("First page", path),
                next.map(token -> {
                            later[path.length + 1] = token;
                            return frame.link("Next page", later).with("rel", "next");
                        })
                        .orElse(Html.text("")));
    }

    private Answer entries(StoredCollection collection, String name, @Nullable String after) {
        Scan.Page<Entry<Bytes, Long>> page = page(collection, name, after);
        StoredCollection.Index index = collection.indexes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(Console::noPage);
        Table table = new Table("Entries in the order of their search keys", "Search key", "Record");
        for (Entry<Bytes, Long> each : page.records()) {
            Keys.Pair<Bytes, Bytes> entry =
                    Keys.pair(Keys.bytes(), Keys.bytes()).decode(each.key());
            table.row(text(index.keyTypes(), entry.first()), link(frame, collection, entry.second()));
        }
        return frame.page(
                "Index " + name,
                frame.trail(collection.name()),
                Html.of(
                        "dl",
                        Frame.fact("Search keys", Html.text(String.join(", ", index.keyTypes()))),
                        Frame.fact("Unique", Html.text(index.unique() ? "yes" : "no")),
                        Frame.fact("State", Html.text(index.ready() ? "ready" : "being built"))),
                table.html(after == null ? "The index has no entries." : "There are no more entries."),
                pager(after, page.next(), SECTION, collection.name(), INDEX, name));
    }

    private Answer one(Transaction all, StoredCollection collection, Bytes key) {
        RecordCollection<Bytes, Bytes> records = store.rawCollection(collection.name());
        long bytes = all.payloadBytes(records, key)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND, "the collection has no such record, or not any more"));
        boolean whole = bytes <= WHOLE_BYTES;
        Shown value = Shown.payload(front(all, records, key, whole ? bytes : FRONT_BYTES), whole);
        return frame.page(
                "Record",
                frame.trail(collection.name()),
                Html.of(
                        "dl",
                        Frame.fact("Key", text(collection.keyTypes(), key)),
                        Frame.fact("Bytes of the key", Html.of("code", key.toHex())),
                        Frame.fact("Size of the value", Words.bytes(bytes)),
                        Frame.fact("Shown as", Html.text(value.kind() + (whole ? "" : ", the first KiB")))),
                Html.of("pre", value.text()).with("tabindex", "0").with("aria-label", "Value"));
    }

    private static Bytes front(Transaction all, RecordCollection<Bytes, Bytes> records, Bytes key, long bytes) {
        try (InputStream in = all.open(records, key, 0, bytes).orElseGet(InputStream::nullInputStream)) {
            return Bytes.wrap(in.readNBytes((int) bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The front of a value, for a line of a table. */
    static Html preview(Bytes front) {
        String text = Shown.payload(front, false).text();
        int end = text.offsetByCodePoints(0, Math.min(PREVIEW_CHARS, text.codePointCount(0, text.length())));
        return Html.of("code", text.substring(0, end) + (end < text.length() ? " …" : ""))
                .with("class", "value");
    }

    /** A link to a record, by its key. */
    static Html link(Frame frame, StoredCollection collection, Bytes key) {
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(key.toArray());
        return Html.of("a", text(collection.keyTypes(), key))
                .with("href", frame.address(SECTION, collection.name(), RECORD, encoded));
    }

    /** A key as a person reads it. */
    static Html text(List<String> types, Bytes key) {
        String shown = Shown.key(types, key);
        return Html.of("span", shown.isEmpty() ? "(empty)" : shown).with("class", "key");
    }

    private static Bytes key(String encoded) {
        try {
            return Bytes.wrap(Base64.getUrlDecoder().decode(encoded));
        } catch (IllegalArgumentException noKey) {
            throw Console.noPage();
        }
    }

    /** A part of a page; where the store cannot tell it, the others are there all the same. */
    static Html attempt(Supplier<Html> part) {
        try {
            return part.get();
        } catch (ConflictException again) {
            throw again; // the whole page is read again
        } catch (StoreException failure) {
            return Html.of("span", "cannot be read: " + failure.code()).with("class", "warning");
        }
    }
}
