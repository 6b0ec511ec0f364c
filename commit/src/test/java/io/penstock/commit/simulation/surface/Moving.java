package io.penstock.commit.simulation.surface;

import io.penstock.Admin;
import io.penstock.ConsistencyLevel;
import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.commit.simulation.History.Outcome;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A collection that moves into a domain and out again under programs of all levels. Each life of a program counts up a
 * pair of records, together, and a single one; all read those of all.
 */
final class Moving {
    private static final String KEPT = "what is acknowledged beside a move is there";
    private static final String NEVER = "what failed beside a move has no effect";
    private static final String GROWS = "beside a move a session reads no older value than before";
    private static final String FRESH = "beside a move a strict read sees what was acknowledged";
    private static final String PAIRS = "beside a move a strict read is of one state";
    private static final String ROWS = "beside a move an index agrees with its collection";

    private static final Set<ErrorCode> EXPECTED = EnumSet.of(
            ErrorCode.DOMAIN_MISMATCH, ErrorCode.INDEX_NOT_READY, ErrorCode.UNDECLARED_INDEX, ErrorCode.NOT_FOUND);

    private static final String COUNTER = "counter/c";
    private static final int ROUNDS_MAX = 150;
    private static final int PADDING = 400;
    private static final int SLOW_MILLIS_MAX = 700_000;

    /** The time after which all have noticed a changed definition, and what they then did has ended. */
    private static final Duration NOTICED = Duration.ofSeconds(130);

    private final Drawn drawn;
    private final Log log;
    private final Map<String, Register> registers = new TreeMap<>();
    private int increments;
    private int unknown;
    private @Nullable Passed passed;
    private int movers;
    private int ended;
    private boolean made;
    private boolean over;

    /** The time since which the collection is in its domain, for whoever asks; negative while it may be outside. */
    private long inSinceNanos = -1;

    /** The time up to which others may not have noticed that the collection was emptied; what they write is lost. */
    private long emptiedUntilNanos;

    private int emptied;

    Moving(Drawn drawn, Log log) {
        this.drawn = drawn;
        this.log = log;
    }

    /** One try to write a register. Not safe for use by many threads, as all of a run. */
    private static final class Try {
        final long number;
        final boolean deletes;
        Outcome outcome = Outcome.OPEN;
        long endNanos = Long.MAX_VALUE;
        boolean seen;

        Try(long number, boolean deletes) {
            this.number = number;
            this.deletes = deletes;
        }
    }

    /** One record, or two that are written together, by one life of a program. */
    private static final class Register {
        final List<Try> tries = new ArrayList<>();

        /** The number of tries that had ended before the collection was emptied. */
        private int gone;

        /** What was written by now is never seen again, once all others have noticed. */
        void end() {
            gone = (int)
                    tries.stream().filter(each -> each.outcome != Outcome.OPEN).count();
        }

        /** The last number that was acknowledged after one time and before another; 0 for none. */
        long acknowledged(long since, long nanos) {
            return tries.stream()
                    .filter(each -> each.outcome == Outcome.ACKNOWLEDGED)
                    .filter(each -> each.endNanos > since && each.endNanos < nanos)
                    .mapToLong(each -> each.number)
                    .max()
                    .orElse(0);
        }

        /**
         * The least number, from one on, that a value may be of; empty if there is none.
         *
         * @param noticed whether what is gone must not be seen
         */
        Optional<Long> fit(@Nullable String value, long from, boolean noticed) {
            if (value == null && from == 0) {
                return Optional.of(0L);
            }
            for (Try each : tries) {
                boolean same = value == null ? each.deletes : !each.deletes && each.number == numberOf(value);
                boolean lives = value == null || !noticed || each.number > gone;
                if (same && lives && each.number >= from) {
                    each.seen |= value != null;
                    return Optional.of(each.number);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * A token.
     *
     * @param seen the numbers that its session had seen, by key
     * @param weak whether it is of a program at a weak level
     */
    private record Passed(String token, Map<String, Long> seen, boolean weak, int emptied) {}

    private static long numberOf(String value) {
        return Long.parseLong(value.split(" ")[0]);
    }

    /** The collection as one life of a program has it, and the numbers that it has seen, by key. */
    private final class Life {
        final SimulatedClient machine;
        final Penstock store;
        final @Nullable ConsistencyLevel level;
        final SplittableRandom luck;
        final RecordCollection<String, String> records;
        final Index<Long, String, String> byNumber;
        final @Nullable CoveringIndex<Long, String, String, String> covering;

        /** An index that the collection was made without. */
        final @Nullable Index<Long, String, String> late;

        final Map<String, Long> seen = new TreeMap<>();

        /** By transactions of a weak level, which read pages alone; else {@code seen}. */
        final Map<String, Long> seenOnPages;

        final String id = log.drawId();
        private int known = emptied;

        Life(SimulatedClient machine, Penstock store, @Nullable ConsistencyLevel level, SplittableRandom luck) {
            this.machine = machine;
            this.store = store;
            this.level = level;
            this.luck = luck;
            records = store.collection("m", Keys.string(), Item.CODEC);
            byNumber = records.index("by-number", Keys.longs(), Moving::numberOf);
            seenOnPages = level == null || level.isolates() ? seen : new TreeMap<>();
            boolean declares = drawn.has(Feature.INDEX_ADDED) && (!drawn.has(Feature.UNDECLARED) || luck.nextBoolean());
            late = made && declares ? records.index("late", Keys.longs(), Moving::numberOf) : null;
            covering = drawn.has(Feature.COVERING) ? byNumber.including("v", Item.CODEC, value -> value) : null;
        }

        private void work() {
            for (int i = 0; i < ROUNDS_MAX && !over; i++) {
                attempt(() -> act());
                machine.clearInterrupt();
                attempt(() -> machine.sleep(Duration.ofMillis(luck.nextInt(8_000))));
                machine.clearInterrupt();
            }
        }

        private void attempt(Runnable act) {
            try {
                act.run();
            } catch (InvalidRequestException | CorruptDataException refused) {
                if (!EXPECTED.contains(refused.code())) {
                    log.unexpected(refused, drawn);
                }
            } catch (StoreException e) {
                log.say(machine.nanoTime(), machine.name() + " ends in " + e);
            }
        }

        private void act() {
            // Below ATOMIC a crash may leave a half, or an entry out: such programs only read.
            switch (level == ConsistencyLevel.MONOTONIC ? luck.nextInt(8, 16) : luck.nextInt(16)) {
                case 0, 1, 2, 3 -> write(List.of(id + "/k", id + "/l"));
                case 4, 5 -> write(List.of(id + "/s"));
                case 6, 7 -> count();
                case 8, 9 -> lookOutside();
                case 10, 11 -> lookTogether();
                case 12 -> lookSlowly();
                case 13, 14 -> pass();
                default -> tend();
            }
        }

        private void tend() {
            Admin admin = store.admin();
            switch (luck.nextInt(5)) {
                case 0 -> admin.checkpoint();
                case 1 -> {
                    if (drawn.has(Feature.SCRUB)) {
                        admin.scrub(byNumber);
                    }
                }
                case 2 -> {
                    if (drawn.has(Feature.COMPACTION)) {
                        admin.compact();
                    }
                }
                case 3 -> {
                    if (drawn.has(Feature.DROP_INDEX)) {
                        admin.dropIndex("m", "late");
                    }
                }
                default -> {
                    if (late != null) {
                        records.build();
                    }
                }
            }
        }

        // ---- Writes

        private void write(List<String> keys) {
            Register register = registers.computeIfAbsent(nameOf(keys.getFirst()), name -> new Register());
            boolean deletes = drawn.has(Feature.DELETES) && luck.nextInt(4) == 0;
            Try made = new Try(register.tries.size() + 1L, deletes);
            register.tries.add(made);
            boolean reads = luck.nextBoolean();
            Map<String, Optional<String>> before = new TreeMap<>();
            String value = made.number + (drawn.has(Feature.LARGE) ? " " + "x".repeat(PADDING) : "");
            boolean onPages = false;
            try {
                if (keys.size() == 1 && luck.nextBoolean()) {
                    write(null, keys, deletes, value);
                } else {
                    onPages = store.transact(transaction -> {
                        if (reads) {
                            keys.forEach(key -> before.put(key, transaction.get(records, key)));
                        }
                        write(transaction, keys, deletes, value);
                        return !transaction.level().isolates();
                    });
                }
                made.outcome = Outcome.ACKNOWLEDGED;
                before.forEach((key, found) -> sees(key, found, 0, seenOnPages));
                keys.forEach(key -> seen.put(key, made.number));
                if (onPages) {
                    keys.forEach(key -> seenOnPages.put(key, made.number));
                }
            } catch (OutcomeUnknownException e) {
                made.outcome = Outcome.UNKNOWN;
            } catch (StoreException e) {
                made.outcome = Outcome.FAILED;
                throw e;
            } finally {
                made.endNanos = machine.nanoTime();
                log.say(made.endNanos, this + " writes " + keys + " " + made.number + " " + made.outcome);
            }
        }

        private void write(@Nullable Transaction transaction, List<String> keys, boolean deletes, String value) {
            for (String key : keys) {
                if (transaction == null && deletes) {
                    records.delete(key);
                } else if (transaction == null) {
                    records.put(key, value);
                } else if (deletes) {
                    transaction.delete(records, key);
                } else {
                    transaction.put(records, key, value);
                }
            }
        }

        /** Only strict programs count: at other levels increments may be lost. */
        private void count() {
            ConsistencyLevel strict = level == null || !level.isolates() ? ConsistencyLevel.SERIALIZABLE : level;
            long begun = increments;
            int round = emptied;
            unknown++; // until it returns, if it ever does
            boolean mayCount = true;
            try {
                long before = store.transact(strict, transaction -> {
                    long last = transaction
                            .get(records, COUNTER)
                            .map(Moving::numberOf)
                            .orElse(0L);
                    transaction.put(records, COUNTER, String.valueOf(last + 1));
                    return last;
                });
                mayCount = false;
                increments += round == emptied ? 1 : 0;
                if (before < begun && round == emptied) {
                    log.alarm(FRESH, this + " counts on from " + before + " of " + begun);
                }
            } catch (OutcomeUnknownException e) {
                log.say(machine.nanoTime(), this + " may have counted");
            } catch (StoreException e) {
                mayCount = false;
                throw e;
            } finally {
                unknown -= mayCount || round != emptied ? 0 : 1;
            }
        }

        // ---- Reads

        private void lookOutside() {
            long begun = machine.nanoTime();
            long since = inSinceNanos;
            List<String> names = List.copyOf(registers.keySet());
            String name = names.isEmpty() ? id + "/s" : names.get(luck.nextInt(names.size()));
            Map<String, String> found = new TreeMap<>();
            boolean all = luck.nextBoolean();
            if (all) {
                found.putAll(content(records.scan(KeySpan.all())));
            } else {
                records.get(name).ifPresent(value -> found.put(name, value));
            }
            boolean isStrict = level == null
                    ? since >= 0 && since == inSinceNanos
                    : level.isolates() || level == ConsistencyLevel.SERIALIZABLE;
            judge(found, all ? registers.keySet() : Set.of(name), isStrict, begun, all ? "scans" : "gets", seen);
        }

        private void lookTogether() {
            long begun = machine.nanoTime();
            Map<String, String> found = new TreeMap<>();
            Map<String, String> rows = new TreeMap<>();
            boolean byIndex = luck.nextBoolean();
            ConsistencyLevel of = store.transact(transaction -> {
                found.clear();
                rows.clear();
                found.putAll(content(transaction.scan(records, KeySpan.all())));
                if (byIndex) {
                    rows.putAll(rows(transaction, luck.nextBoolean()));
                }
                return transaction.level();
            });
            judge(found, registers.keySet(), of.isolates(), begun, "reads at " + of, seenOnPages);
            if (byIndex && of.isolates() && !rows.equals(found)) {
                log.alarm(ROWS, this + " reads rows of " + difference(rows, found));
            }
        }

        /** Reads the two of a pair, long apart, beside moves and writes. */
        private void lookSlowly() {
            List<String> names = registers.keySet().stream()
                    .filter(name -> partnerOf(name) != null)
                    .toList();
            if (names.isEmpty()) {
                return;
            }
            String name = names.get(luck.nextInt(names.size()));
            String other = Objects.requireNonNull(partnerOf(name));
            ConsistencyLevel strict = luck.nextBoolean() ? ConsistencyLevel.SERIALIZABLE : ConsistencyLevel.SNAPSHOT;
            int most = luck.nextInt(3) == 0 ? 2_000 : SLOW_MILLIS_MAX;
            if (level != null && level.isolates() && luck.nextBoolean()) {
                same(name, store.read(transaction -> readSlowly(transaction, name, other, luck.nextInt(20_000))));
                return;
            }
            try (Transaction transaction = store.begin(strict)) {
                List<Optional<String>> found = readSlowly(transaction, name, other, luck.nextInt(most));
                transaction.commit();
                same(name, found);
            }
        }

        private List<Optional<String>> readSlowly(Transaction transaction, String name, String other, int millis) {
            Optional<String> first = transaction.get(records, name);
            machine.sleep(Duration.ofMillis(millis));
            return List.of(first, transaction.get(records, other));
        }

        private void same(String name, List<Optional<String>> pair) {
            log.say(machine.nanoTime(), this + " reads slowly " + name + " " + Item.clip(pair));
            if (!pair.getFirst().equals(pair.getLast())) {
                log.alarm(PAIRS, this + " reads " + name + " and the other of the pair as " + Item.clip(pair));
            }
        }

        /** Takes a token for others, or goes on from that of another one. */
        private void pass() {
            forgetEmptied();
            boolean weak = seen != seenOnPages;
            Passed last = passed;
            if (last == null || last.weak != weak || luck.nextInt(3) == 0) {
                Map<String, Long> before = Map.copyOf(seenOnPages);
                passed = new Passed(store.session().token(), before, weak, emptied);
                return;
            }
            try (Session session = store.session(last.token)) {
                List<String> keys = List.copyOf(last.seen.keySet());
                if (session.isWhole() && !keys.isEmpty()) {
                    String key = keys.get(luck.nextInt(keys.size()));
                    Optional<String> value = session.transact(transaction -> transaction.get(records, key));
                    log.say(machine.nanoTime(), this + " reads by a token " + key + " as " + value.map(Item::clip));
                    if (last.emptied == emptied && machine.nanoTime() >= emptiedUntilNanos) {
                        sees(key, value, 0, new TreeMap<>(last.seen));
                    }
                }
            }
        }

        private Map<String, String> rows(Transaction transaction, boolean byLate) {
            var own = covering;
            var other = late;
            if (byLate && other != null) {
                return content(transaction.scan(other, KeySpan.all()));
            }
            return content(
                    own == null ? transaction.scan(byNumber, KeySpan.all()) : transaction.scan(own, KeySpan.all()));
        }

        private void judge(
                Map<String, String> found,
                Set<String> names,
                boolean strict,
                long begun,
                String how,
                Map<String, Long> before) {
            log.say(machine.nanoTime(), this + " " + how + (strict ? " strictly " : " ") + Item.clip(found));
            for (String name : names) {
                long floor = strict
                        ? registers
                                .getOrDefault(name, new Register())
                                .acknowledged(
                                        emptiedUntilNanos,
                                        begun - drawn.staleness().toNanos())
                        : 0;
                sees(name, Optional.ofNullable(found.get(name)), floor, before);
                String other = partnerOf(name);
                if (other != null && names.size() > 1) {
                    sees(other, Optional.ofNullable(found.get(other)), floor, before);
                    if (strict && !Optional.ofNullable(found.get(name)).equals(Optional.ofNullable(found.get(other)))) {
                        log.alarm(PAIRS, this + " " + how + " " + name + " and " + other + " of " + Item.clip(found));
                    }
                }
            }
        }

        /**
         * @param floor the least number that it must be of
         * @param last what was seen before, by key
         */
        private void sees(String key, Optional<String> value, long floor, Map<String, Long> last) {
            Register register = registers.get(nameOf(key));
            if (register == null) {
                return;
            }
            forgetEmptied();
            long before = last.getOrDefault(key, 0L);
            Optional<Long> fit =
                    register.fit(value.orElse(null), Math.max(floor, before), machine.nanoTime() >= emptiedUntilNanos);
            if (fit.isEmpty()) {
                log.alarm(
                        before >= floor ? GROWS : FRESH,
                        this + " reads " + key + " as " + value.map(Item::clip) + " after " + before + ", at least "
                                + floor);
            }
            fit.ifPresent(number -> last.put(key, number));
        }

        private void forgetEmptied() {
            if (known != emptied || machine.nanoTime() < emptiedUntilNanos) {
                known = emptied;
                seen.clear();
                seenOnPages.clear();
            }
        }

        private Map<String, String> content(Scan<Entry<String, String>> scan) {
            Map<String, String> found = new TreeMap<>();
            try (scan) {
                scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
            }
            found.remove(COUNTER);
            return found;
        }

        @Override
        public String toString() {
            return machine.name() + " (" + (level == null ? "no level" : level) + ")";
        }
    }

    /** What one has and the other has not. */
    private static String difference(Map<String, String> rows, Map<String, String> found) {
        Map<String, String> more = new TreeMap<>(rows);
        more.entrySet().removeAll(found.entrySet());
        Map<String, String> less = new TreeMap<>(found);
        less.entrySet().removeAll(rows.entrySet());
        return Item.clip(more) + " too many, lacks " + Item.clip(less);
    }

    /** Both records of a pair have one register, named after the first. */
    private static String nameOf(String key) {
        return key.endsWith("/l") ? key.substring(0, key.length() - 1) + "k" : key;
    }

    private static @Nullable String partnerOf(String name) {
        return name.endsWith("/k") ? name.substring(0, name.length() - 1) + "l" : null;
    }

    void work(SimulatedClient machine, Penstock store, @Nullable ConsistencyLevel level, SplittableRandom luck) {
        for (int i = 0; i < ROUNDS_MAX && !made; i++) {
            machine.sleep(Duration.ofMillis(500));
        }
        if (made) {
            new Life(machine, store, level, luck).work();
        }
    }

    void move(SimulatedClient machine, Penstock store, SplittableRandom luck) {
        movers++;
        Life life = new Life(machine, store, ConsistencyLevel.ATOMIC, luck);
        for (int i = 0; i < ROUNDS_MAX && !made; i++) {
            life.attempt(() -> {
                life.records.get("first");
                made = true;
            });
            life.attempt(() -> machine.sleep(Duration.ofMillis(200)));
        }
        for (int i = 0; i < 2; i++) {
            life.attempt(() -> machine.sleep(Duration.ofMillis(luck.nextInt(20_000))));
            life.attempt(() -> {
                log.calls.called("Admin.moveInto(String,String,Consumer)");
                store.admin().moveInto("m", "main", progress -> log.say(machine.nanoTime(), "in " + progress));
                // Of several movers none knows where the others have moved it since.
                inSinceNanos = movers == 1 ? machine.nanoTime() : -1;
                log.say(machine.nanoTime(), "in");
                machine.sleep(Duration.ofMillis(luck.nextInt(60_000)));
                log.calls.called("Admin.moveOut(String,Consumer)");
                store.admin().moveOut("m", progress -> log.say(machine.nanoTime(), "out " + progress));
                inSinceNanos = -1;
                log.say(machine.nanoTime(), "out");
                if (movers == 1 && luck.nextInt(3) == 0) {
                    empty(machine, store, luck);
                }
            });
        }
        life.attempt(() -> machine.sleep(Duration.ofMillis(luck.nextInt(20_000))));
        ended++;
        over = ended == movers;
    }

    /** Empties the collection, and waits until all others must have noticed. */
    private void empty(SimulatedClient machine, Penstock store, SplittableRandom luck) {
        machine.sleep(Duration.ofMillis(luck.nextInt(10_000)));
        registers.values().forEach(Register::end);
        emptied++;
        emptiedUntilNanos = Long.MAX_VALUE;
        increments = 0;
        unknown = ROUNDS_MAX * ROUNDS_MAX; // all of before, if it fails
        log.calls.called("Admin.truncate(String)");
        store.admin().truncate("m");
        emptied++; // counts that began meanwhile are of before
        unknown = 0;
        emptiedUntilNanos = machine.nanoTime() + NOTICED.toNanos();
        log.say(machine.nanoTime(), "emptied");
        machine.sleep(Duration.ofMillis(luck.nextInt(30_000)));
    }

    /** @param store opened at a weak level when nothing is pending any more */
    void verify(SimulatedClient machine, Penstock store) {
        // What came late is older than what others have written since.
        log.calls.called("Quarantine.applyAll(boolean)");
        log.say(machine.nanoTime(), store.admin().quarantine().applyAll(false).toString());
        Life last = new Life(machine, store, ConsistencyLevel.ATOMIC, new SplittableRandom(drawn.seed()));
        Map<String, String> found = last.content(last.records.scan(KeySpan.all()));
        Set<String> keys = new TreeSet<>(registers.keySet());
        registers.keySet().stream()
                .map(Moving::partnerOf)
                .filter(partner -> partner != null)
                .forEach(keys::add);
        for (String key : keys) {
            Register register = registers.get(nameOf(key));
            String value = found.get(key);
            long floor = register.acknowledged(emptiedUntilNanos, Long.MAX_VALUE);
            if (register.fit(value, floor, machine.nanoTime() >= emptiedUntilNanos)
                    .isEmpty()) {
                log.alarm(KEPT, key + " is " + value + " and " + floor + " was acknowledged");
            }
        }
        registers.forEach((name, register) -> register.tries.stream()
                .filter(each -> each.seen && each.outcome == Outcome.FAILED)
                .forEach(each -> log.alarm(NEVER, name + " was " + each.number)));
        long counted = last.records.get(COUNTER).map(Moving::numberOf).orElse(0L);
        if (counted < increments || counted > increments + unknown) {
            log.alarm(KEPT, "counted " + counted + " of " + increments + " and " + unknown + " unknown");
        }
        Map<String, String> rows = last.content(last.byNumber.scan(KeySpan.all()));
        if (!rows.equals(found)) {
            log.alarm(ROWS, "in the end rows of " + difference(rows, found));
        }
    }
}
