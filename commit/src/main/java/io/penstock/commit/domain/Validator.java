package io.penstock.commit.domain;

import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Decides which transactions go into the next segment, and in which order: a transaction is valid if nothing that it
 * depends on was written after its snapshot, neither by a segment before nor by an earlier one of its own, and nothing
 * that it has read has expired by its stamp. So all transactions of the log are as if each had run at its place in it,
 * and at the time of its stamp. Pure.
 */
final class Validator {
    private Validator() {}

    /** The writes between two positions of the log. */
    interface History {
        /** The first conflict with what was written after {@code snapshot}. */
        Optional<Conflict> conflict(ReadSet reads, long snapshot);
    }

    /** The keys that some transactions write, and the write of the least epoch, by tree. For one thread. */
    static final class WrittenKeys {
        private final Map<TreeId, TreeSet<Bytes>> trees = new HashMap<>();
        private final Map<TreeId, LogRecord> oldest = new HashMap<>();

        void add(List<LogRecord> writes) {
            for (LogRecord write : writes) {
                trees.computeIfAbsent(write.tree(), t -> new TreeSet<>())
                        .add(write.change().key());
                oldest.merge(write.tree(), write, (one, other) -> one.epoch() <= other.epoch() ? one : other);
            }
        }

        /** The key of a write of an epoch below this one. */
        Optional<Bytes> firstBefore(TreeId tree, long epoch) {
            return Optional.ofNullable(oldest.get(tree))
                    .filter(write -> write.epoch() < epoch)
                    .map(write -> write.change().key());
        }

        boolean contains(TreeId tree, Bytes key) {
            TreeSet<Bytes> keys = trees.get(tree);
            return keys != null && keys.contains(key);
        }

        Optional<Bytes> firstIn(TreeId tree, KeyRange range) {
            TreeSet<Bytes> keys = trees.get(tree);
            return Optional.ofNullable(keys == null ? null : keys.ceiling(range.from()))
                    .filter(range::contains);
        }
    }

    /**
     * The verdict on one transaction; without a conflict it is valid.
     *
     * @param stamp of its writes
     */
    record Verdict(Intent intent, Stamp stamp, Optional<Conflict> conflict) {
        boolean isValid() {
            return conflict.isEmpty();
        }
    }

    /**
     * The verdicts on a group, in its order.
     *
     * @param history all segments before the one that the group is for
     * @param stamps draws one after the other
     */
    static List<Verdict> decide(List<Intent> group, History history, Function<Intent, Stamp> stamps) {
        List<Verdict> verdicts = new ArrayList<>(group.size());
        WrittenKeys written = new WrittenKeys();
        for (Intent intent : group) {
            Stamp stamp = stamps.apply(intent);
            Optional<Conflict> conflict = history.conflict(intent.validated(), intent.snapshot())
                    .or(() -> intent.validated().conflict(written))
                    .or(() -> intent.validated().expired(stamp.millis()));
            if (conflict.isEmpty()) {
                written.add(intent.writes());
            }
            verdicts.add(new Verdict(intent, stamp, conflict));
        }
        return verdicts;
    }
}
