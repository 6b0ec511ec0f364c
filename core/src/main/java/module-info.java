/** Values, pages, the buffer pool, and the two SPIs of a store: an object store and a queue service. */
@org.jspecify.annotations.NullMarked
module io.penstock.core {
    requires static transitive org.jspecify;
    // Needed only for compressed pages.
    requires static com.github.luben.zstd_jni;
    requires transitive micrometer.core;
    requires micrometer.commons;
    requires transitive micrometer.observation;
    requires org.slf4j;
    // The AWS SDK is needed only for stores on AWS.
    requires static software.amazon.awssdk.auth;
    requires static software.amazon.awssdk.awscore;
    requires static software.amazon.awssdk.core;
    requires static software.amazon.awssdk.http;
    requires static software.amazon.awssdk.http.urlconnection;
    requires static software.amazon.awssdk.identity.spi;
    requires static software.amazon.awssdk.regions;
    requires static software.amazon.awssdk.retries;
    requires static software.amazon.awssdk.retries.api;
    requires static software.amazon.awssdk.services.kms;
    requires static software.amazon.awssdk.services.s3;
    requires static software.amazon.awssdk.services.sqs;
    requires static software.amazon.awssdk.utils;

    // What users meet: values and exceptions, the two SPIs and their settings, and the tasks that an SPI runs on.
    exports io.penstock.core;
    exports io.penstock.core.local;
    exports io.penstock.core.object;
    exports io.penstock.core.object.s3;
    exports io.penstock.core.queue;
    exports io.penstock.core.queue.sqs;
    exports io.penstock.core.seal;
    exports io.penstock.core.task;

    // For our own modules.
    exports io.penstock.core.memory to
            io.penstock.btree,
            io.penstock;
    exports io.penstock.core.meter to
            io.penstock;
    exports io.penstock.core.object.memory to
            io.penstock,
            io.penstock.testkit;
    exports io.penstock.core.queue.memory to
            io.penstock;
    exports io.penstock.core.queue.table to
            io.penstock.testkit;
    exports io.penstock.core.overflow to
            io.penstock.btree,
            io.penstock;
    exports io.penstock.core.page to
            io.penstock.btree,
            io.penstock;
    exports io.penstock.core.pool to
            io.penstock.btree,
            io.penstock;
    exports io.penstock.core.pool.disk to
            io.penstock;
    exports io.penstock.core.record to
            io.penstock.btree,
            io.penstock;
    exports io.penstock.core.remote to
            io.penstock.azure,
            io.penstock.gcs;
    exports io.penstock.core.retry to
            io.penstock;

    // Buckets by name.
    uses io.penstock.core.object.BucketDriver;

    provides io.penstock.core.object.BucketDriver with
            io.penstock.core.object.s3.S3Driver;
}
