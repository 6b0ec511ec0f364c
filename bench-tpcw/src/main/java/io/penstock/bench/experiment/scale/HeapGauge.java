package io.penstock.bench.experiment.scale;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import io.penstock.core.task.Tasks;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * A gauge of the heap in use right after full collections, which is what a program needs. (Between them the collector
 * decides.) Safe for use by many threads; stops when closed.
 */
final class HeapGauge implements AutoCloseable {
    private static final String FULL = "end of major GC";

    /** Pauses in which to wait for the notice of a collection. A later notice counts for the next reading. */
    private static final int PAUSES_MAX = 200;

    private final Tasks tasks;
    private final AtomicLong most = new AtomicLong();
    private final AtomicLong told = new AtomicLong();
    private final NotificationListener listener = (notification, handback) -> collected(notification);

    HeapGauge(Tasks tasks) {
        this.tasks = tasks;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
            }
        }
    }

    /** The value of {@code -Xmx}, in bytes. */
    static long heapMax() {
        return Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxHeapSize")
                .getValue());
    }

    private void collected(Notification notification) {
        if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        if (info.getGcAction().equals(FULL)) {
            long used = info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                    .filter(pool -> isHeap(pool.getKey()))
                    .map(pool -> pool.getValue())
                    .mapToLong(MemoryUsage::getUsed)
                    .sum();
            most.accumulateAndGet(used, Math::max);
            told.incrementAndGet();
        }
    }

    private static boolean isHeap(String pool) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .anyMatch(
                        bean -> bean.getName().equals(pool) && bean.getType() == java.lang.management.MemoryType.HEAP);
    }

    /** Runs a full collection; returns the maximum in use after any since the last call, in bytes. */
    long takeMost() {
        long before = told.get();
        System.gc();
        for (int pause = 0; pause < PAUSES_MAX && told.get() == before; pause++) {
            tasks.sleep(Duration.ofMillis(1));
        }
        return most.getAndSet(0);
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (javax.management.ListenerNotFoundException gone) {
                    throw new IllegalStateException("a listener that was added is not there", gone);
                }
            }
        }
    }
}
