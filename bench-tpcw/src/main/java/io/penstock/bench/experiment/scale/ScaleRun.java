package io.penstock.bench.experiment.scale;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Progress;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A run: fills a local store, reopens it, and works on it as users do.
 *
 * @param records to load
 * @param reads of records drawn one by one
 * @param writes updates of loaded records, as many inserts into a second collection, and as many to each deep queue
 * @param poolMib for pages
 */
record ScaleRun(long records, int reads, int writes, long poolMib) {
    /** Inserts between two checkpoints, so that the tree grows by many small steps. */
    private static final int INSERT_ROUND = 10_000;

    /** @throws ScaleStore.WrongDataException if the store lacks something that was written */
    ScaleReport in(Path directory, Tasks tasks, Progress progress) {
        List<TreeRow> trees = new ArrayList<>();
        Steps steps;
        try (HeapGauge heap = new HeapGauge(tasks)) {
            steps = new Steps(tasks, heap);
            try (ScaleStore store = open(directory, steps, progress)) {
                steps.measure("load, unsorted", "records", store::load);
            }
            try (ScaleStore store = open(directory, steps, progress)) {
                steps.measure("check", "records", () -> store.check(records));
                steps.measure("scan, compare", "records", store::scan);
                steps.measure("random reads", "records", () -> store.read(reads));
                steps.measure("stats", "records", () -> store.trees(trees));
                write(store, steps);
                care(store, steps);
                steps.measure("check again", "records", () -> store.check(records + writes));
                steps.measure("scan, compare again", "records", store::scan);
                store.trees(trees);
            }
        }
        progress.end();
        return new ScaleReport(records, Steps.mib(HeapGauge.heapMax()), poolMib, steps.rows(), trees);
    }

    private void write(ScaleStore store, Steps steps) {
        steps.measure("commit updates", "records", () -> store.update(writes));
        steps.measure("apply updates", "records", store::checkpoint);
        steps.measure("read updates", "records", () -> store.readUpdated(writes));
        for (long first = 0; first < writes; first += INSERT_ROUND) {
            long begin = first;
            long end = Math.min(writes, begin + INSERT_ROUND);
            steps.measure("commit inserts", "records", () -> store.insert(begin, end));
            steps.measure("apply inserts", "records", store::checkpoint);
        }
    }

    private void care(ScaleStore store, Steps steps) {
        ScaleCare care = store.care();
        steps.measure("fill deep queues", "records", () -> care.fillQueues(writes));
        steps.measure("apply deep queues", "records", store::checkpoint);
        steps.measure("build index, check it", "records", () -> care.buildIndex(store.loaded()));
        steps.measure("verify", "pages", care::verify);
        steps.measure("gc", "objects", care::collectGarbage);
        steps.measure("compact", "leaves", care::compact);
    }

    private ScaleStore open(Path directory, Steps steps, Progress progress) {
        // Checkpoints only by command, so that commits and checkpoints are separate steps.
        Settings settings = Settings.local(directory)
                .level(ConsistencyLevel.ATOMIC)
                .poolBytes(poolMib << 20)
                .checkpointing(false)
                .meters(steps.meters());
        return new ScaleStore(Penstock.open(settings), records, progress);
    }
}
