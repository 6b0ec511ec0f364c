package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Validator.Verdict;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The validator beside a search through serial orders: transactions with random reads and writes read at random
 * snapshots and are validated; what is accepted must have a serial order in which every one reads what it has read. One
 * record expires meanwhile, by clocks that differ: that is a step of the order, too.
 */
class ValidatorTest {
    private static final Duration BUDGET = Duration.ofSeconds(30);
    private static final TreeId TREE = new TreeId(1);
    private static final int KEYS = 4;
    private static final int TRANSACTIONS = 7;

    /** The key of the record that expires, and the number of its end, as if a transaction had deleted it. */
    private static final int EXPIRING = KEYS;

    private static final int END = 99;

    /** A transaction with what it has read: for each key the transaction that wrote it, 0 for none. */
    private record Ran(int id, Intent intent, Map<Integer, Integer> read, List<Integer> written) {}

    /** One random history: groups of transactions, each put as a segment. */
    private static final class History {
        final Random random;
        final boolean serializable;
        final Tail tail = new Tail(new ThreadTasks(), Limits.of(Duration.ofMinutes(1), Duration.ofDays(30), BUDGET));
        final List<Ran> accepted = new ArrayList<>();
        final TreeMap<Long, Map<Integer, Integer>> states = new TreeMap<>();
        final long expiryMillis;
        int refused;
        private long stamped;

        History(long seed, boolean serializable) {
            this.random = new Random(seed);
            this.serializable = serializable;
            this.expiryMillis = 1 + random.nextInt(2 * TRANSACTIONS);
            tail.begin(Tip.NONE);
            states.put(0L, Map.of());
            int id = 1;
            while (id <= TRANSACTIONS) {
                List<Ran> group = new ArrayList<>();
                for (int left = 1 + random.nextInt(3); left > 0 && id <= TRANSACTIONS; left--) {
                    group.add(run(id++));
                }
                put(group);
            }
        }

        private Ran run(int id) {
            long tip = tail.tip();
            long snapshot = tip - random.nextInt((int) Math.min(3, tip + 1));
            Map<Integer, Integer> state = states.get(snapshot);
            Map<Integer, Integer> read = new HashMap<>();
            ReadSet reads = new ReadSet();
            if (random.nextBoolean()) {
                int from = random.nextInt(KEYS);
                int to = from + 1 + random.nextInt(KEYS - from);
                reads.add(TREE, new KeyRange(key(from), key(to)));
                for (int key = from; key < to; key++) {
                    read.put(key, state.getOrDefault(key, 0));
                }
            }
            int one = random.nextInt(KEYS);
            reads.add(TREE, key(one));
            read.put(one, state.getOrDefault(one, 0));
            if (random.nextBoolean()) {
                readExpiring(id, snapshot, reads, read);
            }
            List<Integer> written = new ArrayList<>(List.of(random.nextInt(KEYS)));
            if (random.nextBoolean()) {
                written.add((written.getFirst() + 1) % KEYS);
            }
            List<LogRecord> writes = written.stream()
                    .map(key -> new LogRecord(TREE, new RecordChange.Put(key(key), Bytes.EMPTY, Stamp.ZERO)))
                    .toList();
            ReadSet own = new ReadSet();
            own.asOf(reads.asOfMillis());
            written.forEach(key -> own.add(TREE, key(key)));
            TransactionId name = new TransactionId(new ClientId(id), id);
            return new Ran(id, new Intent(name, snapshot, serializable ? reads : own, writes), read, written);
        }

        private void readExpiring(int id, long snapshot, ReadSet reads, Map<Integer, Integer> read) {
            long clock = id + random.nextInt(5) - 2;
            long asOf = Math.max(clock, tail.at(snapshot).newest().millis());
            reads.asOf(asOf);
            if (asOf < expiryMillis) {
                reads.addAlive(TREE, expiryMillis);
            }
            read.put(EXPIRING, asOf < expiryMillis ? 0 : END);
        }

        private List<Ran> acceptedAndTheEnd() {
            List<Ran> all = new ArrayList<>(accepted);
            all.add(new Ran(END, intent(END, new ReadSet(), EXPIRING), Map.of(), List.of(EXPIRING)));
            return all;
        }

        private Stamp stamp(Intent intent) {
            long asOf = Math.max(intent.id().nonce(), intent.validated().asOfMillis()) << Stamp.COUNTER_BITS;
            stamped = Math.max(stamped + 1, asOf);
            return new Stamp(stamped, intent.id().client());
        }

        private void put(List<Ran> group) {
            long tip = tail.tip();
            List<Verdict> verdicts = Validator.decide(
                    group.stream().map(Ran::intent).toList(),
                    (reads, snapshot) -> tail.conflict(reads, snapshot, tip),
                    this::stamp);
            List<Segment.Transaction> transactions = new ArrayList<>();
            Map<Integer, Integer> state = new HashMap<>(states.get(tip));
            for (int i = 0; i < group.size(); i++) {
                Ran ran = group.get(i);
                if (verdicts.get(i).isValid()) {
                    transactions.add(ran.intent.stamped(verdicts.get(i).stamp()));
                    ran.written.forEach(key -> state.put(key, ran.id));
                    accepted.add(ran);
                } else {
                    refused++;
                }
            }
            tail.append(new Segment("d", tip + 1, tip + 1, tip, 0, transactions), tip);
            states.put(tip + 1, state);
        }
    }

    private static Bytes key(int number) {
        return Bytes.wrap(new byte[] {(byte) number});
    }

    @Test
    void whatIsAcceptedHasASerialOrder() {
        int accepted = 0;
        int refused = 0;
        for (long seed = 1; seed <= 4_000; seed++) {
            History history = new History(seed, true);
            assertThat(isSerial(history.acceptedAndTheEnd(), new ArrayList<>(), new HashMap<>()))
                    .as("seed=%d", seed)
                    .isTrue();
            accepted += history.accepted.size();
            refused += history.refused;
        }
        assertThat(accepted).isGreaterThan(refused);
        assertThat(refused).isPositive();
    }

    /** That the search can say no: snapshot isolation lets through what has no serial order. */
    @Test
    void snapshotIsolationIsNotSerializable() {
        boolean skew = false;
        for (long seed = 1; seed <= 500 && !skew; seed++) {
            skew = !isSerial(new History(seed, false).accepted, new ArrayList<>(), new HashMap<>());
        }
        assertThat(skew).isTrue();
    }

    /** Of two accepted ones that write one key the later had seen the earlier. */
    @Test
    void noUpdateIsLost() {
        for (long seed = 1; seed <= 4_000; seed++) {
            List<Ran> accepted = new History(seed, false).accepted;
            Map<Integer, Ran> last = new HashMap<>();
            History again = new History(seed, false);
            for (Ran ran : accepted) {
                for (int key : ran.written) {
                    Ran before = last.put(key, ran);
                    int seen = again.states.get(ran.intent.snapshot()).getOrDefault(key, 0);
                    assertThat(seen).as("seed=%d", seed).isEqualTo(before == null ? 0 : before.id);
                }
            }
        }
    }

    /** Searches an order in which every transaction reads what it has read. */
    private static boolean isSerial(List<Ran> all, List<Ran> done, Map<Integer, Integer> state) {
        if (done.size() == all.size()) {
            return true;
        }
        for (Ran next : all) {
            boolean reads = next.read.entrySet().stream()
                    .allMatch(read -> read.getValue().equals(state.getOrDefault(read.getKey(), 0)));
            if (!done.contains(next) && reads) {
                Map<Integer, Integer> after = new HashMap<>(state);
                next.written.forEach(key -> after.put(key, next.id));
                done.add(next);
                if (isSerial(all, done, after)) {
                    return true;
                }
                done.removeLast();
            }
        }
        return false;
    }

    @Test
    void aGroupIsValidatedInItsOrder() {
        Intent first = intent(1, new ReadSet(), 1);
        ReadSet reads = new ReadSet();
        reads.add(TREE, key(1));
        List<Verdict> verdicts = decide(first, intent(2, reads, 2));
        assertThat(verdicts).extracting(Verdict::isValid).containsExactly(true, false);
        verdicts = decide(intent(2, reads, 2), first);
        assertThat(verdicts).extracting(Verdict::isValid).containsExactly(true, true);
    }

    private static List<Verdict> decide(Intent... group) {
        return Validator.decide(
                List.of(group),
                (reads, snapshot) -> Optional.empty(),
                intent -> Stamp.of(intent.id().nonce(), 0, intent.id().client()));
    }

    @Test
    void nothingReadHasExpiredByTheStamp() {
        ReadSet reads = new ReadSet();
        reads.addAlive(TREE, 5);
        assertThat(decide(intent(4, reads, 1), intent(5, reads, 2)))
                .extracting(verdict -> verdict.conflict().map(Conflict::kind))
                .containsExactly(Optional.empty(), Optional.of(Conflict.Kind.EXPIRED));
    }

    private static Intent intent(int id, ReadSet reads, int key) {
        return new Intent(
                new TransactionId(new ClientId(id), id),
                0,
                reads,
                List.of(new LogRecord(TREE, new RecordChange.Delete(key(key), Stamp.ZERO))));
    }
}
