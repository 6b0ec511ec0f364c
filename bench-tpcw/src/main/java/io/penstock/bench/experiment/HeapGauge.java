package io.penstock.bench.experiment;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import io.penstock.core.task.Tasks;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * A gauge of the heap in use right after full collections, which is what a program needs. (Between them the collector
 * decides.) Safe for use by many threads. It reads until the process ends.
 */
final class HeapGauge {
    private static final String FULL = "end of major GC";

    /** Pauses in which to wait for the notice of a collection. A later notice counts for the next reading. */
    private static final int PAUSES_MAX = 200;

    private static final Set<String> HEAP_POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toUnmodifiableSet());

    private final Tasks tasks;
    private final AtomicLong most = new AtomicLong();
    private final AtomicLong collections = new AtomicLong();

    HeapGauge(Tasks tasks) {
        this.tasks = tasks;
        ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(NotificationEmitter.class::isInstance)
                .map(NotificationEmitter.class::cast)
                .forEach(bean -> bean.addNotificationListener((notice, handback) -> collected(notice), null, null));
    }

    /** Returns the value of {@code -Xmx}, in bytes. */
    static long heapMax() {
        return Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxHeapSize")
                .getValue());
    }

    private void collected(Notification notice) {
        if (!notice.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        var info = GarbageCollectionNotificationInfo.from((CompositeData) notice.getUserData());
        if (info.getGcAction().equals(FULL)) {
            long used = info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                    .filter(pool -> HEAP_POOLS.contains(pool.getKey()))
                    .mapToLong(pool -> pool.getValue().getUsed())
                    .sum();
            most.accumulateAndGet(used, Math::max);
            collections.incrementAndGet();
        }
    }

    /** Runs a full collection; returns the maximum in use after any since the last call, in bytes. */
    long takeMost() {
        long before = collections.get();
        System.gc();
        for (int pause = 0; pause < PAUSES_MAX && collections.get() == before; pause++) {
            tasks.sleep(Duration.ofMillis(1));
        }
        return most.getAndSet(0);
    }
}
