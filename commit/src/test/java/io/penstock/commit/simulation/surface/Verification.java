package io.penstock.commit.simulation.surface;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Review;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.commit.simulation.surface.Judge.Commit;
import io.penstock.commit.simulation.surface.Proposals.Proposed;
import io.penstock.core.Bytes;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.object.ObjectStore;
import io.penstock.feed.Change;
import io.penstock.feed.ChangeFeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The verdict on a run that is over, by the log, by what clients read in the end, and by the store's own checks. */
final class Verification {
    private static final String THE_END = "in the end all clients read what the log says";
    private static final String INDEX = "in the end an index agrees with its collection";
    private static final String CYCLES = "no cycle that the level forbids";
    private static final String FEED = "a feed has every transaction once, in order";
    private static final String REFUSED = "who lacks a key is refused, in one line";
    static final String SOUND = "in the end the store is sound";

    private static final int SETTLE_ROUNDS_MAX = 60;

    /** The moments that are restored. */
    private static final int MOMENTS = 2;

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
        last(handle.store).put("k", "v");
        List<Commit> commits = commits(start, large);
        List<Stamp> stamps = commits.stream().map(Commit::stamp).toList();
        if (!heard.equals(stamps.subList(0, Math.min(stamps.size(), heard.size())))) {
            log.alarm(FEED, "heard " + heard + " of " + stamps);
        }
        Proposals.attribute(log, commits);
        Proposals.judge(log, commits);
        Judge all = new Judge(drawn, log, commits, epochMillis);
        all.judge(named(stamps));
        judge = all;
        log.cycles = new Cycles(
                log.attempts.stream().filter(attempt -> attempt.named == null).toList(), commits);
        log.cycles.forbidden().forEach(detail -> log.alarm(CYCLES, detail));
    }

    /** The number of commits before each position that an attempt has read at. */
    private Map<String, Integer> named(List<Stamp> stamps) {
        Map<String, Integer> places = new TreeMap<>();
        log.attempts.stream()
                .flatMap(attempt -> Stream.ofNullable(attempt.named))
                .forEach(named -> places.computeIfAbsent(named.position(), position -> {
                    ChangeFeed feed = handle.store.changes(position);
                    Optional<io.penstock.feed.Commit> next = feed.next(Duration.ZERO);
                    while (next.isPresent() && isUntold(next.get())) {
                        next = feed.next(Duration.ZERO);
                    }
                    return next.map(commit -> stamps.indexOf(commit.stamp())).orElse(stamps.size());
                }));
        return places;
    }

    /** The collection of what is put last. */
    static RecordCollection<String, String> last(Penstock store) {
        return store.collection("m-last", Keys.string(), Item.CODEC).inDomain("main");
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
     * Restores what was backed up while all worked, and last, and some moments between; each restored store has what
     * the log says, and can be used.
     *
     * @param prefix of empty stores, which get numbers
     * @param saved the folder of backups
     */
    void restored(Settings settings, String prefix, ObjectStore backups, String saved) {
        handle.store.admin().backup(backups, saved, false);
        log.calls.called("Admin.restore(ObjectStore,String,Optional)");
        Judge all = Objects.requireNonNull(judge);
        SplittableRandom random = new SplittableRandom(drawn.seed());
        for (int i = 0; i <= MOMENTS; i++) {
            Optional<Instant> moment = i == 0 ? Optional.empty() : all.draw(random);
            try (Penstock store = Penstock.open(settings.prefix(prefix + i).staleness(Duration.ZERO))) {
                store.admin().restore(backups, saved, moment);
                long now = handle.machine.nanoTime();
                List<TreeMap<String, String>> expected =
                        moment.isEmpty() ? List.of(all.last(now)) : all.at(moment.get(), now);
                if (!expected.isEmpty()) {
                    same(store, "restored " + moment + ": ", expected);
                }
            } catch (InvalidRequestException between) {
                if (moment.isEmpty() || between.code() != ErrorCode.POSITION_TOO_OLD) {
                    throw between;
                }
            }
        }
    }

    /**
     * Copies the store into an empty place, and into the first of some others where there is no whole copy.
     *
     * @param prefixes the first one is of an empty store; half a copy in another is of the moment when it was begun
     */
    void copied(Settings settings, String... prefixes) {
        log.calls.called("Admin.copy(Penstock)");
        Judge all = Objects.requireNonNull(judge);
        boolean done = false;
        for (int i = 0; i < prefixes.length && !done; i++) {
            try (Penstock store = Penstock.open(settings.prefix(prefixes[i]).staleness(Duration.ZERO))) {
                handle.store.admin().copy(store);
                long now = handle.machine.nanoTime();
                same(store, "copied: ", i == 0 ? List.of(all.last(now)) : all.all(now));
                done = i > 0;
            } catch (InvalidRequestException there) {
                if (i == 0 || there.code() != ErrorCode.ALREADY_EXISTS) {
                    throw there;
                }
            }
        }
    }

    private void same(Penstock store, String where) {
        same(store, where, List.of(Objects.requireNonNull(judge).last(handle.machine.nanoTime())));
    }

    /** @param expected the states that it may have */
    private void same(Penstock store, String where, List<TreeMap<String, String>> expected) {
        Handle other = new Handle(handle.machine, store, drawn, log.calls, 1);
        end(other, where, expected);
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
        Proposals proposals = new Proposals(drawn);
        while (true) {
            Optional<io.penstock.feed.Commit> next = feed.next(Duration.ZERO);
            if (next.isEmpty()) {
                return commits;
            }
            if (isUntold(next.get())) {
                continue;
            }
            Map<String, Optional<String>> changes = new LinkedHashMap<>();
            String stamp = next.get().stamp().toString();
            for (Change change : next.get().changes()) {
                String name = nameOf(change);
                if (isMoving(change)) {
                    continue;
                }
                if (Proposals.isOfReview(change)) {
                    Optional<String> known = Optional.ofNullable(large.get(stamp + name));
                    proposals.read(change, change.value().map(Bytes::toUtf8).or(() -> known), changes);
                    continue;
                }
                changes.put(
                        name,
                        switch (change.kind()) {
                            case PUT ->
                                Optional.of(textOf(drawn, change, change.value().orElseThrow()));
                            case DELETE -> Optional.empty();
                            case REPLACED -> Optional.of(large.getOrDefault(stamp + name, Judge.GONE));
                        });
            }
            commits.add(new Commit(next.get().stamp(), changes));
        }
    }

    static String nameOf(Change change) {
        String collection = change.collection();
        return (Proposals.isOfReview(change) ? collection : collection.substring(0, 1)) + "/"
                + change.key().toUtf8();
    }

    /** Whether a commit is of a collection that moves alone: feeds leave it out once that was emptied. */
    static boolean isUntold(io.penstock.feed.Commit commit) {
        return !commit.changes().isEmpty() && commit.changes().stream().allMatch(Verification::isMoving);
    }

    /** Of a collection that moves the log has some changes only. */
    private static boolean isMoving(Change change) {
        return nameOf(change).startsWith("m");
    }

    /** The payload of a change as the model has it; of a proposal as it is. */
    static String textOf(Drawn drawn, Change change, Bytes payload) {
        return Proposals.isOfReview(change)
                ? payload.toUtf8()
                : Masters.codec(drawn, change.collection()).decode(payload);
    }

    private void end(Handle by) {
        end(by, "", List.of(Objects.requireNonNull(judge).last(by.machine.nanoTime())));
    }

    private void end(Handle by, String where, List<TreeMap<String, String>> expected) {
        Map<String, String> found = new TreeMap<>();
        by.store.read(transaction -> {
            found.clear();
            for (RecordCollection<String, String> records : by.all(drawn)) {
                try (Scan<Entry<String, String>> scan = transaction.scan(records, KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.put(records.name() + "/" + entry.key(), entry.value()));
                }
            }
            try (Scan<Entry<String, Long>> scan = transaction.scan(by.n, KeySpan.all())) {
                scan.forEachRemaining(entry -> found.put("n/" + entry.key(), String.valueOf(entry.value())));
            }
            proposals(by, found);
            return true;
        });
        if (expected.stream().noneMatch(state -> isSeen(state, found, by))) {
            log.alarm(
                    THE_END,
                    where + "found " + Item.clip(found) + " expected " + Item.clip(expected.getFirst()) + " or "
                            + (expected.size() - 1) + " states before");
        }
    }

    private boolean isSeen(TreeMap<String, String> state, Map<String, String> found, Handle by) {
        Map<String, String> expected = new TreeMap<>(state);
        if (drawn.mayBeLarge()) {
            // A large payload that was replaced and removed between two backups is in none of them.
            Map<String, String> last = Objects.requireNonNull(judge).last(by.machine.nanoTime());
            expected.entrySet()
                    .removeIf(record -> !found.containsKey(record.getKey())
                            && !record.getValue().equals(last.get(record.getKey())));
        }
        return found.equals(expected);
    }

    private void proposals(Handle by, Map<String, String> found) {
        for (RecordCollection<String, String> records :
                drawn.has(Feature.REVIEW) ? List.of(by.a, by.b) : List.<RecordCollection<String, String>>of()) {
            Review<String, String> review = Review.of(records);
            Stream.concat(review.pending(Integer.MAX_VALUE).stream(), review.rejected(Integer.MAX_VALUE).stream())
                    .forEach(each -> {
                        Proposed proposed = Reviewing.proposed(records.name(), each);
                        found.put(proposed.key(), Reviewing.text(proposed, each));
                    });
        }
    }

    /**
     * Looks at keys: who lacks one is refused, and what is forgotten is not read.
     *
     * @param settings with keys
     * @param lacking without the right ones
     */
    void keys(Settings settings, List<Settings> lacking) {
        if (drawn.has(Feature.ENCRYPTED)) {
            lacking.forEach(this::refused);
        }
        if (drawn.has(Feature.NEW_MASTER)) {
            log.calls.called("Admin.rotateKeys()");
            try (Penstock store = Penstock.open(settings.encryption(Masters.BOTH.getLast()))) {
                store.admin().rotateKeys();
            }
            refused(settings.encryption(Masters.MAIN));
            try (Penstock store =
                    Penstock.open(settings.encryption(Masters.NEXT).staleness(Duration.ZERO))) {
                same(store, "by the new key: ");
            }
        }
        if (drawn.has(Feature.SEALED)) {
            try (Penstock store = Penstock.open(settings.staleness(Duration.ZERO))) {
                forgotten(store);
            }
        }
    }

    private void refused(Settings settings) {
        try (Penstock store = Penstock.open(settings)) {
            log.alarm(REFUSED, "opened as " + store.clientId());
        } catch (InvalidRequestException refused) {
            if (refused.code() != ErrorCode.NO_KEY || refused.getMessage().contains("\n")) {
                log.alarm(REFUSED, Log.stackOf(refused));
            }
        }
    }

    /** Each value is what the log says or cannot be read, for want of one of two keys. */
    private void forgotten(Penstock store) {
        Map<String, String> expected = Objects.requireNonNull(judge).last(handle.machine.nanoTime());
        RecordCollection<String, String> left =
                new Handle(handle.machine, store, drawn, log.calls, 1, Masters.LACKING).a;
        RecordCollection<Bytes, Bytes> raw = store.rawCollection("a");
        for (Map.Entry<String, String> record : expected.entrySet()) {
            if (record.getKey().startsWith("a/")) {
                String key = record.getKey().substring(2);
                boolean isNext =
                        raw.get(Bytes.utf8(key)).orElseThrow().slice(5, 9).equals(Bytes.utf8("next"));
                try {
                    Optional<String> found = left.get(key);
                    if (!isNext || !found.equals(Optional.of(record.getValue()))) {
                        log.alarm(REFUSED, record.getKey() + " is " + found);
                    }
                } catch (InvalidRequestException refused) {
                    if (isNext
                            || refused.code() != ErrorCode.NO_KEY
                            || refused.getMessage().contains("\n")) {
                        log.alarm(REFUSED, record.getKey() + " " + Log.stackOf(refused));
                    }
                }
            }
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
