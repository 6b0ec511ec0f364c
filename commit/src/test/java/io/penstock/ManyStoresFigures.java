package io.penstock;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A program that prints what open stores take in one process: heap, threads, requests while idle. Each is a store of
 * its own in a bucket alone, here in memory, and was read from. Its argument is their number.
 */
final class ManyStoresFigures {
    private static final Duration IDLE = Duration.ofSeconds(30);

    private ManyStoresFigures() {}

    public static void main(String[] arguments) {
        int stores = arguments.length == 0 ? 1_000 : Integer.parseInt(arguments[0]);
        Tasks tasks = new ThreadTasks();
        ObjectStore bucket = new MemoryObjectStore(tasks);
        Settings settings = Settings.on(bucket, tasks);
        for (int i = 0; i < stores; i++) {
            try (Penstock store = Penstock.open(settings.prefix("s" + i))) {
                notes(store).put(1L, "of " + i);
            }
        }
        tasks.sleep(IDLE);
        List<Penstock> open = new ArrayList<>();
        open.add(openAndRead(settings.prefix("s0")));
        long heap = heap();
        int threads = threads();
        for (int i = 1; i < stores; i++) {
            open.add(openAndRead(settings.prefix("s" + i)));
        }
        int busy = threads();
        double requests = requests(settings);
        tasks.sleep(IDLE);
        System.out.printf(
                Locale.ROOT,
                "%d stores beside one: %.1f MiB of heap, %d threads, %d when just opened, %.0f requests in %d s%n",
                stores - 1,
                (heap() - heap) / (double) (1 << 20),
                threads() - threads,
                busy - threads,
                requests(settings) - requests,
                IDLE.toSeconds());
        open.forEach(Penstock::close);
    }

    private static RecordCollection<Long, String> notes(Penstock store) {
        return store.collection("notes", Keys.longs(), Json.of(String.class));
    }

    private static Penstock openAndRead(Settings settings) {
        Penstock store = Penstock.open(settings);
        notes(store).get(1L).orElseThrow();
        return store;
    }

    private static double requests(Settings settings) {
        return settings.meters().find("penstock.requests").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
