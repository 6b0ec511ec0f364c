package io.penstock.console;

import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.feed.Change;
import io.penstock.feed.Commit;
import io.penstock.report.LogStats;
import io.penstock.report.StoredCollection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pages of commit logs: their list, and the changes of one, newest first. For one request. */
record LogPages(Penstock store, Frame frame) {
    static final String SECTION = "logs";

    /** The segments of a page. */
    private static final int SEGMENTS = 10;

    /** The changes of a page: a segment may have very many. */
    private static final int CHANGES_MAX = 200;

    Answer answer(List<String> path) {
        List<LogStats> logs = store.admin().inspect().outline().logs();
        if (path.isEmpty()) {
            return frame.page(
                    "Logs",
                    Html.of(
                            "p",
                            "Each domain has a commit log of numbered segments. Those after the horizon are committed"
                                    + " and not on pages yet: the tail."),
                    table(logs, frame));
        }
        LogStats log = logs.stream()
                .filter(each -> each.domain().equals(path.getFirst()))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND, "the store has no log of such a domain; check its name"));
        if (path.size() > 2) {
            throw Console.noPage();
        }
        return changes(log, path.size() == 1 ? log.last() : number(path.getLast()));
    }

    static Html table(List<LogStats> logs, Frame frame) {
        Table table = new Table(
                "Commit logs",
                "Domain",
                "#Last segment",
                "#Horizon",
                "#Tail",
                "#Tail size",
                "#Oldest",
                "#Kept",
                "#Size");
        for (LogStats each : logs) {
            table.row(
                    frame.link(each.domain(), SECTION, each.domain()),
                    Words.count(each.last()),
                    Words.count(each.horizon()),
                    Words.count(each.tail(), "segment", "segments"),
                    Words.bytes(each.tailBytes()),
                    each.tailAge().map(Words::age).orElse(Html.text("–")),
                    Words.count(each.segments(), "segment", "segments"),
                    Words.bytes(each.bytes()));
        }
        return table.html("The store has no commit logs yet.");
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException noNumber) {
            throw Console.noPage();
        }
    }

    private Answer changes(LogStats log, long last) {
        long first = Math.max(log.trimmed(), log.last() - log.segments()) + 1;
        if (last > log.last() || last < first && last != log.last()) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "the commit log has no such segment, or not any more", "segment", last);
        }
        Map<String, StoredCollection> collections = store.admin().inspect().collections().stream()
                .collect(Collectors.toMap(StoredCollection::name, Function.identity()));
        Table table = new Table("Changes, newest first", "Time", "#Segment", "Collection", "Change", "Key", "Value");
        int left = CHANGES_MAX;
        for (long segment = last; segment > last - SEGMENTS && segment >= first && left > 0; segment--) {
            for (Commit commit :
                    store.admin().inspect().changes(log.domain(), segment).reversed()) {
                for (Change change : commit.changes()
                        .subList(0, Math.min(left, commit.changes().size()))) {
                    row(table, commit, segment, change, collections.get(change.collection()));
                    left--;
                }
            }
        }
        return frame.page(
                "Log of " + log.domain(),
                frame.trail(),
                table(List.of(log), frame),
                table.html("These segments changed no record."),
                left > 0 ? Html.text("") : Html.of("p", "More changes of these segments are not shown."),
                pager(log, first, last));
    }

    private void row(Table table, Commit commit, long segment, Change change, @Nullable StoredCollection collection) {
        table.row(
                Words.time(commit.stamp().millis()),
                Words.count(segment),
                frame.link(change.collection(), CollectionPages.SECTION, change.collection()),
                Html.text(
                        switch (change.kind()) {
                            case PUT -> "put";
                            case DELETE -> "deleted";
                            case REPLACED -> "replaced since";
                        }),
                key(change, collection),
                change.value()
                        .map(CollectionPages::preview)
                        .orElse(Html.text(change.kind() == Change.Kind.PUT ? "(large)" : "")));
    }

    private Html key(Change change, @Nullable StoredCollection collection) {
        if (collection == null || change.kind() == Change.Kind.DELETE) {
            return CollectionPages.text(
                    collection == null ? List.of(Keys.bytes().name()) : collection.keyTypes(), change.key());
        }
        return CollectionPages.link(frame, collection, change.key());
    }

    private Html pager(LogStats log, long first, long last) {
        long newer = Math.min(log.last(), last + SEGMENTS);
        long older = last - SEGMENTS;
        return Frame.pager(
                last < log.last() ? frame.link("Newer", SECTION, log.domain(), Long.toString(newer)) : Html.text(""),
                older >= first ? frame.link("Older", SECTION, log.domain(), Long.toString(older)) : Html.text(""));
    }
}
