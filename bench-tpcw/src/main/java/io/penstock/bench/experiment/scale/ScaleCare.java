package io.penstock.bench.experiment.scale;

import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.bench.program.Progress;
import io.penstock.core.Bytes;
import io.penstock.report.CompactionReport;
import io.penstock.report.GcReport;
import io.penstock.report.VerifyReport;
import java.time.Duration;

/** What an operator does with a large store: long queues applied at once, an index built, care. For one thread. */
final class ScaleCare {
    /** As many queues as one checkpoint of the store works on at a time. */
    private static final int QUEUES = 8;

    private static final int TRANSACTION = 100;

    private final Penstock store;
    private final Progress progress;

    ScaleCare(Penstock store, Progress progress) {
        this.store = store;
        this.progress = progress;
    }

    /** Commits records to each of several collections; returns their number. */
    long fillQueues(int each) {
        progress.begin("filling queues", (long) QUEUES * each);
        for (int queue = 0; queue < QUEUES; queue++) {
            RecordCollection<Bytes, Bytes> collection =
                    store.collection("queue-" + queue, Keys.bytes(), PayloadCodec.bytes());
            for (long from = 0; from < each; from += TRANSACTION) {
                long begin = from;
                long end = Math.min(each, from + TRANSACTION);
                store.transact(ConsistencyLevel.BASIC, transaction -> {
                    for (long number = begin; number < end; number++) {
                        transaction.put(collection, ScaleRecords.key(number), ScaleRecords.payload(number, 0));
                    }
                    return true;
                });
                progress.advance(end - begin);
            }
        }
        return (long) QUEUES * each;
    }

    /** Builds an index of few of the loaded records; returns the number of records. */
    long buildIndex(String name) {
        progress.begin("building an index", 1);
        RecordCollection<Bytes, Bytes> loaded = store.collection(name, Keys.bytes(), PayloadCodec.bytes());
        var index = loaded.index("few", Keys.bytes(), payload -> payload.at(0) == 0 ? payload.slice(0, 8) : null);
        long[] records = {0};
        loaded.build(now -> records[0] = now.records());
        if (store.admin().check(index).missing() > 0) {
            throw new ScaleStore.WrongDataException("an index that was built lacks entries");
        }
        return records[0];
    }

    /** Verifies the store; returns the number of its pages. */
    long verify() {
        progress.begin("verifying", 1);
        VerifyReport report = store.admin().verify();
        if (!report.violations().isEmpty()) {
            throw new ScaleStore.WrongDataException(
                    "verify found " + report.violations().getFirst());
        }
        return report.pages();
    }

    /** Returns the number of objects that were looked at. */
    long collectGarbage() {
        progress.begin("collecting garbage", 1);
        GcReport report = store.admin().removeGarbage(Duration.ZERO);
        return report.objects();
    }

    /** Returns the number of leaves that were written or merged. */
    long compact() {
        progress.begin("compacting", 1);
        CompactionReport report = store.admin().compact();
        return report.rewritten() + report.joined();
    }
}
