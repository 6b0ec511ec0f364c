package io.penstock.commit.simulation.surface;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.commit.simulation.surface.Judge.Commit;
import io.penstock.core.Bytes;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.object.ObjectStore;
import io.penstock.feed.Change;
import io.penstock.feed.ChangeFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The verdict on a run that is over, by the log, by what clients read in the end, and by the store's own checks. */
final class Verification {
    private static final String THE_END = "in the end all clients read what the log says";
    private static final String INDEX = "in the end an index agrees with its collection";
    private static final String CYCLES = "no cycle that the level forbids";
    private static final String FEED = "a feed has every transaction once, in order";
    static final String SOUND = "in the end the store is sound";

    private static final int SETTLE_ROUNDS_MAX = 60;

    private final Drawn drawn;
    private final Log log;
    private final Handle handle;
    private final long epochMillis;
    private @Nullable Judge judge;

    /** @param epochMillis the time at which the machine's nanoseconds are 0 */
    Verification(Drawn drawn, Log log, Handle handle, long epochMillis) {
        this.drawn = drawn;
        this.log = log;
        this.handle = handle;
        this.epochMillis = epochMillis;
    }

    /**
     * Judges all attempts by the log.
     *
     * @param start the position of the log before the first commit
     * @param large the values of large records, by stamp and name, as far as they were read before they were replaced
     * @param heard what a feed had
     */
    void judge(String start, Map<String, String> large, List<Stamp> heard) {
        // Takes along what clients that were killed have handed in, which the next commit may find, however late.
        handle.store
                .collection("m-last", Keys.string(), Item.CODEC)
                .inDomain("main")
                .put("k", "v");
        List<Commit> commits = commits(start, large);
        List<Stamp> stamps = commits.stream().map(Commit::stamp).toList();
        if (!heard.equals(stamps.subList(0, Math.min(stamps.size(), heard.size())))) {
            log.alarm(FEED, "heard " + heard + " of " + stamps);
        }
        Judge all = new Judge(drawn, log, commits, epochMillis);
        all.judge();
        judge = all;
        log.cycles = new Cycles(log.attempts, commits);
        log.cycles.forbidden().forEach(detail -> log.alarm(CYCLES, detail));
    }

    /** Reads all before and after a checkpoint. */
    void settled() {
        end(handle);
        settle();
        handle.machine.sleep(drawn.ttl().plusMillis(1));
        end(handle);
        index(handle);
    }

    /**
     * Restores what was backed up while all worked, and last; the restored store has what the log says.
     *
     * @param empty settings of an empty store
     * @param saved the folder of backups
     */
    void restored(Settings empty, ObjectStore backups, String saved) {
        handle.store.admin().backup(backups, saved, false);
        log.calls.called("Admin.restore(ObjectStore,String,Optional)");
        try (Penstock store = Penstock.open(empty.staleness(Duration.ZERO))) {
            store.admin().restore(backups, saved, Optional.empty());
            same(store, "restored: ");
        }
    }

    /**
     * Copies the store into the first of some places where there is no whole copy.
     *
     * @param prefixes the last one is of an empty store
     */
    void copied(Settings settings, String... prefixes) {
        log.calls.called("Admin.copy(Penstock)");
        boolean done = false;
        for (int i = 0; i < prefixes.length && !done; i++) {
            try (Penstock store = Penstock.open(settings.prefix(prefixes[i]).staleness(Duration.ZERO))) {
                handle.store.admin().copy(store);
                same(store, "copied: ");
                done = true;
            } catch (InvalidRequestException there) {
                if (there.code() != ErrorCode.ALREADY_EXISTS) {
                    throw there;
                }
            }
        }
        if (!done) {
            log.alarm(SOUND, "an empty place is not copied into");
        }
    }

    private void same(Penstock store, String where) {
        Handle other = new Handle(handle.machine, store, drawn, log.calls, 1);
        end(other);
        index(other);
        // Who made the store may have been killed before it had a copy of its identity; this mends it.
        var unused = store.admin().removeGarbage(Duration.ofDays(1));
        store.admin().verify().violations().forEach(line -> log.alarm(SOUND, where + line));
    }

    void sound() {
        log.calls.called("Admin.verify()");
        handle.store.admin().verify().violations().forEach(line -> log.alarm(SOUND, line));
    }

    private List<Commit> commits(String start, Map<String, String> large) {
        List<Commit> commits = new ArrayList<>();
        ChangeFeed feed = handle.store.changes(start);
        while (true) {
            Optional<io.penstock.feed.Commit> next = feed.next(Duration.ZERO);
            if (next.isEmpty()) {
                return commits;
            }
            Map<String, Optional<String>> changes = new LinkedHashMap<>();
            for (Change change : next.get().changes()) {
                String name = nameOf(change);
                if (name.startsWith("m")) {
                    continue; // a collection that moves, of which the log has some changes only
                }
                changes.put(
                        name,
                        switch (change.kind()) {
                            case PUT -> change.value().map(Bytes::toUtf8);
                            case DELETE -> Optional.empty();
                            case REPLACED ->
                                Optional.of(large.getOrDefault(next.get().stamp() + name, Judge.GONE));
                        });
            }
            commits.add(new Commit(next.get().stamp(), changes));
        }
    }

    static String nameOf(Change change) {
        return change.collection().charAt(0) + "/" + change.key().toUtf8();
    }

    private void end(Handle by) {
        Map<String, String> found = new TreeMap<>();
        by.store.read(transaction -> {
            found.clear();
            for (RecordCollection<String, String> records : by.all()) {
                try (Scan<Entry<String, String>> scan = transaction.scan(records, KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.put(records.name() + "/" + entry.key(), entry.value()));
                }
            }
            try (Scan<Entry<String, Long>> scan = transaction.scan(by.n, KeySpan.all())) {
                scan.forEachRemaining(entry -> found.put("n/" + entry.key(), String.valueOf(entry.value())));
            }
            return true;
        });
        Map<String, String> expected = Objects.requireNonNull(judge).last(by.machine.nanoTime());
        if (!found.equals(expected)) {
            log.alarm(THE_END, "found " + Item.clip(found) + " expected " + Item.clip(expected));
        }
    }

    private void index(Handle by) {
        var index = by.byGroup;
        if (index == null) {
            return;
        }
        unique(by);
        settle();
        List<String> found = by.store.read(transaction -> {
            List<String> rows = new ArrayList<>();
            try (Scan<Entry<String, String>> scan = transaction.scan(index, KeySpan.all())) {
                scan.forEachRemaining(entry -> rows.add(entry.key() + "=" + entry.value()));
            }
            return rows;
        });
        List<String> expected = by.store.read(transaction -> {
            List<String> rows = new ArrayList<>();
            for (int group = 0; group < Item.GROUPS - 1; group++) {
                String search = "g" + group;
                try (Scan<Entry<String, String>> scan = transaction.scan(by.a, KeySpan.all())) {
                    scan.forEachRemaining(entry -> {
                        if (search.equals(Item.group(entry.value()))) {
                            rows.add(entry.key() + "=" + entry.value());
                        }
                    });
                }
            }
            return rows;
        });
        if (!found.equals(expected)) {
            log.alarm(INDEX, "found " + Item.clip(found) + " expected " + Item.clip(expected));
        }
        if (by.store.admin().check(index).missing() > 0) {
            log.alarm(INDEX, by.store.admin().check(index).toString());
        }
    }

    /** A unique index has no duplicates; or its build says that it cannot be made unique. */
    private void unique(Handle by) {
        try {
            by.a.build();
            var index = by.byUnique;
            if (index != null && !index.duplicates(1).isEmpty()) {
                log.alarm(Judge.UNIQUE, "in the end several records have " + index.duplicates(3));
            }
        } catch (DuplicateException several) {
            if (!drawn.has(Feature.INDEX_ADDED)) {
                log.alarm(Judge.UNIQUE, Log.stackOf(several));
            }
        }
    }

    private void settle() {
        Penstock store = handle.store;
        for (int i = 0; i < SETTLE_ROUNDS_MAX; i++) {
            store.admin().recover();
            store.admin().checkpoint();
            if (store.admin().backlog().total() == 0) {
                return;
            }
            handle.machine.sleep(Duration.ofSeconds(10));
        }
        log.alarm("the backlog drains", store.admin().backlog().toString());
    }
}
