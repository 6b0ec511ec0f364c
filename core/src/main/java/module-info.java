/**
 * Values, pages, the buffer pool, and the two SPIs a store stands on: an object store and a queue service.
 */
@org.jspecify.annotations.NullMarked
module io.penstock.core {
    requires static transitive org.jspecify;
    requires com.h2database.mvstore;
    requires transitive micrometer.core;
    requires org.slf4j;

    exports io.penstock.core.local;
    exports io.penstock.core.meter;
    exports io.penstock.core.object.local;
    exports io.penstock.core.object;
    exports io.penstock.core.page to
            io.penstock.btree,
            io.penstock.commit;
    exports io.penstock.core.queue.local;
    exports io.penstock.core.queue;
    exports io.penstock.core.record to
            io.penstock.btree,
            io.penstock.commit;
    exports io.penstock.core.retry;
    exports io.penstock.core.sim;
    exports io.penstock.core.task;
    exports io.penstock.core;
}
