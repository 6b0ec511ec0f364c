package io.penstock.console;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.Penstock;
import io.penstock.Quarantine;
import io.penstock.Settings;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.report.Backlog;
import io.penstock.report.LogStats;
import io.penstock.report.QuarantineItem;
import io.penstock.report.StoredCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The pages on the state of a store: overview, clients, backlog, quarantine, cost. For one request. */
record StatePages(Penstock store, Settings settings, Frame frame) {
    /** A line of {@code Inspection.queues}. */
    private static final Pattern QUEUE = Pattern.compile("(\\S+) of (.*) visible=(\\d+) in flight=(\\d+)");

    /** A line of {@code Inspection.clients}. */
    private static final Pattern CLIENT = Pattern.compile("(\\S+) (\\S+) since (\\S+)");

    private static final int LINE_CHARS_MAX = 2000;

    Answer overview() {
        Html tiles = Html.of(
                        "ul",
                        tile("collections", this::collectionsTile),
                        tile("backlog", this::backlogTile),
                        tile("logs", this::logsTile),
                        tile("clients", this::clientsTile),
                        tile("quarantine", this::quarantineTile),
                        tile("cost", this::costTile))
                .with("class", "tiles");
        return frame.page(
                "Overview",
                tiles,
                CollectionPages.attempt(() -> new CollectionPages(store, frame).list()),
                CollectionPages.attempt(
                        () -> LogPages.table(store.admin().inspect().outline().logs(), frame)));
    }

    /** A part of the overview; where the store cannot tell it, the others are there all the same. */
    private Html tile(String section, Supplier<Tile> part) {
        Tile tile;
        try {
            tile = part.get();
        } catch (StoreException failure) {
            tile = new Tile(Html.text("?"), Html.text("cannot be read: " + failure.code()), true);
        }
        Html content = Html.of(
                "a",
                Html.of("span", Frame.title(section)).with("class", "what"),
                Html.of("strong", tile.value),
                Html.of("span", tile.note).with("class", "note"));
        return Html.of(
                "li", content.with("href", frame.address(section)).with("class", tile.warns ? "tile warns" : "tile"));
    }

    private record Tile(Html value, Html note, boolean warns) {}

    private Tile collectionsTile() {
        List<StoredCollection> all = store.admin().inspect().collections();
        long indexes = all.stream().mapToLong(each -> each.indexes().size()).sum();
        return new Tile(Words.count(all.size()), Words.count(indexes, "index", "indexes"), false);
    }

    private Tile backlogTile() {
        Backlog backlog = store.admin().backlog();
        return new Tile(
                Words.count(backlog.total()),
                Html.of(
                        "",
                        Html.text("committed, not on pages"),
                        backlog.oldest()
                                .map(age -> Html.of("", Html.text("; oldest "), Words.age(age)))
                                .orElse(Html.text(""))),
                false);
    }

    private Tile logsTile() {
        List<LogStats> logs = store.admin().inspect().outline().logs();
        long bytes = logs.stream().mapToLong(LogStats::bytes).sum();
        return new Tile(
                Words.count(logs.size()),
                Html.of("", Html.text("domains; "), Words.bytes(bytes), Html.text(" of log")),
                false);
    }

    private Tile clientsTile() {
        List<String> lines = store.admin().inspect().clients();
        long alive = lines.stream().filter(line -> line.contains(" alive ")).count();
        return new Tile(
                Words.count(alive), Html.text("use queues; " + (lines.size() - alive) + " silent or retired"), false);
    }

    private Tile quarantineTile() {
        int kept = store.admin().quarantine().list().size();
        return new Tile(Words.count(kept), Html.text(kept == 0 ? "nothing is kept" : "wait for an operator"), kept > 0);
    }

    private Tile costTile() {
        long requests =
                Math.round(sum(settings.meters().find("penstock.requests").counters(), each -> each.count()));
        return new Tile(
                Words.dollars(sum(costs(), FunctionCounter::count)),
                Html.of("", Words.count(requests, "request", "requests"), Html.text(" of this process")),
                false);
    }

    Answer clients() {
        Table table = new Table("Clients that have not signed off", "Client", "State", "Last sign of life");
        for (String line : store.admin().inspect().clients()) {
            table.row(parts(CLIENT, line));
        }
        return frame.page(
                "Clients",
                Html.of(
                        "p",
                        "A client registers when it first commits through queues, and signs off when it is closed or"
                                + " idle. Commits to logs need no registration. Silent and retired ones left work that"
                                + " others finish."),
                table.html("No client is registered."));
    }

    Answer backlog() {
        Backlog backlog = store.admin().backlog();
        Html facts = Html.of(
                "dl",
                Frame.fact("Messages in PU queues", Words.count(backlog.pendingMessages())),
                Frame.fact("Messages in ATOMIC queues", Words.count(backlog.atomicMessages())),
                Frame.fact("Segments of logs after the horizon", Words.count(backlog.logSegments())),
                Frame.fact(
                        "Oldest commit that this handle knows of",
                        backlog.oldest().map(Words::age).orElse(Html.text("none"))));
        Table table = new Table("PU queues", "Queue", "Of", "#Visible", "#In flight");
        for (String line : store.admin().inspect().queues()) {
            table.row(parts(QUEUE, line));
        }
        return frame.page(
                "Backlog",
                Html.of(
                        "p",
                        "What is committed and not yet on pages. Checkpoints apply it; it is approximate while"
                                + " clients write."),
                facts,
                table.html("The store has no PU queues: its commits go through logs."));
    }

    /** The parts of a line that the library describes something in; the whole line if it has another form. */
    private static Html[] parts(Pattern form, String line) {
        Matcher parts = form.matcher(line);
        return parts.matches()
                ? IntStream.rangeClosed(1, parts.groupCount())
                        .mapToObj(part -> Html.of(part == 1 ? "code" : "", parts.group(part)))
                        .toArray(Html[]::new)
                : new Html[] {Html.of("code", line)};
    }

    Answer quarantine(List<String> id) {
        Quarantine quarantine = store.admin().quarantine();
        if (!id.isEmpty()) {
            String name = String.join("/", id);
            return frame.page(
                    "Kept object", frame.trail(), Html.of("p", name).with("class", "key"), kept(quarantine, name));
        }
        Table table =
                new Table("What could not be applied", "Object", "Collection", "Place", "#Size", "#Age", "Reason");
        for (QuarantineItem item : quarantine.list()) {
            List<String> path = new ArrayList<>(List.of("quarantine"));
            path.addAll(List.of(item.id().split("/", -1)));
            table.row(
                    frame.link(item.id(), path.toArray(String[]::new)).with("class", "key"),
                    Html.text(item.collection()),
                    Html.of("span", item.place()).with("class", "key"),
                    Words.bytes(item.bytes()),
                    Words.age(item.age()),
                    Html.of("span", item.reason()).with("class", "key"));
        }
        return frame.page(
                "Quarantine",
                Html.of(
                        "p",
                        "Messages and log records that could not be applied are kept here until the command"
                                + " quarantine apply applies them."),
                table.html("Nothing is kept."));
    }

    private static Html kept(Quarantine quarantine, String id) {
        List<Html> lines = new ArrayList<>();
        try {
            for (String line : quarantine.show(id, true)) {
                String cut = line.substring(0, Math.min(LINE_CHARS_MAX, line.length()));
                lines.add(Html.text(cut + (cut.equals(line) ? "" : " …") + "\n"));
            }
        } catch (CorruptDataException noMessage) {
            return Console.reason(noMessage);
        }
        return Html.of("pre", lines).with("tabindex", "0").with("aria-label", "Log records");
    }

    Answer cost() {
        MeterRegistry meters = settings.meters();
        Map<String, double[]> rows = new TreeMap<>();
        add(rows, 0, meters.find("penstock.requests").counters(), each -> each.count());
        add(rows, 1, meters.find("penstock.retries").counters(), each -> each.count());
        add(rows, 2, costs(), FunctionCounter::count);
        Table table = new Table("Requests", "Request", "Of", "#Sent", "#Retries", "#Price");
        rows.forEach((name, row) -> {
            if (row[0] > 0) {
                String[] parts = name.split(" ");
                table.row(
                        Html.text(parts[0]),
                        Html.text(parts[1]),
                        Words.count(Math.round(row[0])),
                        Words.count(Math.round(row[1])),
                        Words.dollars(row[2]));
            }
        });
        double bytes = sum(meters.find("penstock.bytes").tag("direction", "out").counters(), each -> each.count());
        double sent = sum(meters.find("penstock.bytes").tag("direction", "in").counters(), each -> each.count());
        return frame.page(
                "Cost",
                Html.of(
                        "p",
                        "What this process has asked of the servers since it opened the store, these pages among it,"
                                + " at list prices of S3 Standard and SQS in us-east-1, without storage. Each client"
                                + " counts its own. A directory has no bill: then it is what S3 and SQS would have"
                                + " taken."),
                Html.of(
                        "dl",
                        Frame.fact("All requests", Words.dollars(sum(costs(), FunctionCounter::count))),
                        Frame.fact("Sent to the servers", Words.bytes(Math.round(sent))),
                        Frame.fact("Received from them", Words.bytes(Math.round(bytes)))),
                table.html("No request was counted yet."));
    }

    private Collection<FunctionCounter> costs() {
        return settings.meters().find("penstock.cost").functionCounters();
    }

    private static <M> double sum(Collection<M> meters, ToDoubleFunction<M> value) {
        return meters.stream().mapToDouble(value).sum();
    }

    /** Adds meters to a column, by operation and part. */
    private static <M extends Meter> void add(
            Map<String, double[]> rows, int column, Collection<M> meters, ToDoubleFunction<M> value) {
        for (M each : meters) {
            String row = each.getId().getTag("op") + " " + each.getId().getTag("part");
            rows.computeIfAbsent(row, name -> new double[3])[column] += value.applyAsDouble(each);
        }
    }
}
