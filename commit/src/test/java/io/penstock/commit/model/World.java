package io.penstock.commit.model;

import io.penstock.commit.checkpoint.CheckpointDecider;
import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.protocol.RecoveryDecider;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The constants of a search: the transactions as the log records, parts and stamps of the production code, and its
 * deciders, asked about numbers and bits. Answers are cached, since the same question is asked millions of times.
 */
final class World {
    /** Ids that one process may use: its first, and one after each send that failed. */
    static final int GENERATIONS = 3;

    private static final TreeId TREE = new TreeId(1);
    private static final PageHeader HEADER = PageHeader.of(PageId.root(TREE), PageKind.LEAF, 0, 1, 1);

    final Scope scope;

    /** All log records, by transaction and then by key; number i is bit i of a mask. */
    final List<Record> records = new ArrayList<>();

    /** All messages of the ATOMIC queues. */
    final List<Part> parts = new ArrayList<>();

    private final Map<LogRecord, Integer> numbers = new HashMap<>();
    private final List<Ledger> ledgers = new ArrayList<>(List.of(Ledger.EMPTY));
    private final Map<Ledger, Integer> ledgerNumbers = new HashMap<>(Map.of(Ledger.EMPTY, 0));
    private final Map<List<Object>, CheckpointDecider.Decision> decisions = new HashMap<>();
    private final Map<List<Object>, RecoveryDecider.Decision> recoveries = new HashMap<>();
    private final Map<List<Object>, byte[]> pages = new HashMap<>();

    record Record(int transaction, int key, LogRecord log) {}

    record Part(int transaction, int index, boolean last, AtomicMessage message) {}

    World(Scope scope) {
        this.scope = scope;
        for (int t = 0; t < scope.transactions().size(); t++) {
            Scope.Txn transaction = scope.transactions().get(t);
            for (int key : transaction.keys()) {
                LogRecord log = new LogRecord(TREE, change(t, key, transaction.deletes()));
                numbers.put(log, records.size());
                records.add(new Record(t, key, log));
            }
            addParts(t, transaction.parts());
        }
    }

    private static RecordChange change(int transaction, int key, boolean deletes) {
        Bytes name = Bytes.utf8("k" + key);
        return deletes
                ? new RecordChange.Delete(name, stamp(transaction))
                : new RecordChange.Put(name, Bytes.utf8("t" + transaction), stamp(transaction));
    }

    static Stamp stamp(int transaction) {
        return Stamp.of(1000L + transaction, 0, new ClientId(1));
    }

    static int transaction(Stamp stamp) {
        return (int) (stamp.millis() - 1000);
    }

    private void addParts(int t, int count) {
        List<LogRecord> all = recordsOf(t).stream().map(r -> records.get(r).log).toList();
        for (int i = 0; i < count; i++) {
            List<LogRecord> share = all.subList(all.size() * i / count, all.size() * (i + 1) / count);
            AtomicMessage message = new AtomicMessage(List.of(new AtomicMessage.Part(stamp(t), i, count, share)));
            parts.add(new Part(t, i, i == count - 1, message));
        }
    }

    /** Records that can never be applied, as bits. */
    int strange() {
        int strange = 0;
        for (int r = 0; r < records.size(); r++) {
            strange |= scope.transactions().get(records.get(r).transaction).strange() ? 1 << r : 0;
        }
        return strange;
    }

    int partCount() {
        return scope.atomic() ? parts.size() : 0;
    }

    List<Integer> recordsOf(int transaction) {
        List<Integer> found = new ArrayList<>();
        for (int r = 0; r < records.size(); r++) {
            if (records.get(r).transaction == transaction) {
                found.add(r);
            }
        }
        return found;
    }

    int client(int transaction) {
        return scope.transactions().get(transaction).client();
    }

    int queue(int record) {
        return records.get(record).key % scope.queues();
    }

    int leaf(int key) {
        return scope.leafPerKey() ? key : 0;
    }

    int firstPart(int transaction) {
        int part = 0;
        while (parts.get(part).transaction != transaction) {
            part++;
        }
        return part;
    }

    /** The PU queues of a transaction, as bits. */
    int queuesOf(int transaction) {
        int queues = 0;
        for (int record : recordsOf(transaction)) {
            queues |= 1 << queue(record);
        }
        return queues;
    }

    static ClientId id(int sender) {
        return new ClientId(sender + 1L);
    }

    static int sender(ClientId id) {
        return (int) id.value() - 1;
    }

    List<Integer> numbersOf(List<LogRecord> logs) {
        return logs.stream().map(numbers::get).toList();
    }

    /** Ledgers have numbers, so that a state is small and soon compared; 0 is the empty one. */
    Ledger ledger(int number) {
        return ledgers.get(number);
    }

    int number(Ledger ledger) {
        Integer known = ledgerNumbers.putIfAbsent(ledger, ledgers.size());
        if (known == null) {
            ledgers.add(ledger);
            return ledgers.size() - 1;
        }
        return known;
    }

    /** @param overdue clients whose messages have waited for so long that order is given up */
    CheckpointDecider.Decision plan(int ledger, int[] hand, Set<ClientId> hopeless, Set<ClientId> overdue) {
        List<Integer> names = Arrays.stream(hand).boxed().toList();
        return decisions.computeIfAbsent(List.of(ledger, names, hopeless, overdue), question -> {
            List<CheckpointDecider.Message> messages = new ArrayList<>();
            for (int name : hand) {
                List<LogRecord> logs = new ArrayList<>();
                for (int r = 0; r < records.size(); r++) {
                    if ((PuMessages.records(name) >> r & 1) != 0) {
                        logs.add(records.get(r).log);
                    }
                }
                ClientId sender = id(PuMessages.sender(name));
                messages.add(new CheckpointDecider.Message(
                        new PuMessage(sender, PuMessages.first(name), logs),
                        (PuMessages.records(name) & strange()) != 0,
                        overdue.contains(sender)));
            }
            return CheckpointDecider.decide(ledger(ledger), messages, hopeless);
        });
    }

    RecoveryDecider.Decision recovery(int seen, int settled) {
        return recoveries.computeIfAbsent(List.of(seen, settled), question -> {
            Map<Integer, AtomicMessage> messages = new TreeMap<>();
            for (int p = 0; p < parts.size(); p++) {
                if ((seen >> p & 1) != 0) {
                    messages.put(p, parts.get(p).message);
                }
            }
            Set<Stamp> stamps = new HashSet<>();
            for (int t = 0; t < scope.transactions().size(); t++) {
                if ((settled >> t & 1) != 0) {
                    stamps.add(stamp(t));
                }
            }
            return RecoveryDecider.decide(messages, stamps);
        });
    }

    /** The new state of a leaf, as the production code's own applier makes it. */
    byte[] apply(byte[] winners, List<Integer> changes, int leaf) {
        List<Integer> here =
                changes.stream().filter(r -> leaf(records.get(r).key) == leaf).toList();
        List<Object> question = List.of(Arrays.toString(winners), here);
        return pages.computeIfAbsent(question, q -> applied(winners, here)).clone();
    }

    private byte[] applied(byte[] winners, List<Integer> changes) {
        if (!scope.holds(Scope.Rule.THE_NEWEST_STAMP_WINS)) {
            byte[] after = winners.clone();
            changes.forEach(r -> after[records.get(r).key] = (byte) (records.get(r).transaction + 1));
            return after;
        }
        List<RecordChange> sorted = new ArrayList<>(
                changes.stream().map(r -> records.get(r).log.change()).toList());
        sorted.sort(Comparator.comparing(RecordChange::key));
        ChangeApplier.Applied applied = ChangeApplier.apply(image(winners), sorted, 0);
        return applied.applied() > 0 ? winners(page(applied.entries())) : winners.clone();
    }

    private static PageImage page(LeafEntries entries) {
        return entries.layout(HEADER, 0, entries.count()).encode();
    }

    private PageImage image(byte[] winners) {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        for (int key = 0; key < winners.length; key++) {
            if (winners[key] > 0) {
                int transaction = winners[key] - 1;
                if (change(
                                transaction,
                                key,
                                scope.transactions().get(transaction).deletes())
                        instanceof RecordChange.Put put) {
                    builder.put(put.key(), put.payload(), put.stamp());
                } else {
                    builder.tombstone(Bytes.utf8("k" + key), stamp(transaction));
                }
            }
        }
        return page(builder.build());
    }

    private static byte[] winners(PageImage page) {
        byte[] winners = new byte[Scope.KEYS];
        for (int i = 0; i < page.count(); i++) {
            byte[] key = page.key(i).toArray();
            winners[key[1] - '0'] = (byte) (transaction(page.stamp(i)) + 1);
        }
        return winners;
    }
}
