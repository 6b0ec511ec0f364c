package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.Buckets;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups and copies by the command on real servers, of stores that somebody writes to. */
@Tag("servers")
class CopyOnServersTest {
    private static final int RECORDS = 60;
    private static final Map<String, String> CREDENTIALS =
            Map.of("aws.accessKeyId", "penstock", "aws.secretAccessKey", "penstock-secret");

    private final ThreadTasks tasks = new ThreadTasks();
    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @AfterEach
    void forgetCredentials() {
        CREDENTIALS.keySet().forEach(System::clearProperty);
    }

    private void assertRuns(List<String> store, String... command) {
        out.reset();
        err.reset();
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(store);
        int code = PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments.toArray(String[]::new));
        assertThat(code).as("%s: %s%s", arguments, out, err).isZero();
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, Long> counts(Penstock store) {
        return store.collection("counts", Keys.string(), Json.of(Long.class));
    }

    private static void fill(Penstock store) {
        for (int i = 0; i < RECORDS; i++) {
            words(store).put("k" + i, (i % 20 == 0 ? "x".repeat(100_000) : "value ") + i);
        }
        count(store, 0);
    }

    private static void count(Penstock store, long number) {
        store.transact(transaction -> {
            transaction.put(counts(store), "left", number);
            transaction.put(counts(store), "right", number);
            return true;
        });
    }

    /** A writer that counts, in two records at a time. */
    private static final class Counting implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final AtomicLong acknowledged = new AtomicLong();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CompletableFuture<Void> writing;

        Counting(Penstock store) throws InterruptedException {
            writing = CompletableFuture.runAsync(() -> {
                for (long next = 1; !ends.get(); next++) {
                    count(store, next);
                    acknowledged.set(next);
                    begun.countDown();
                }
            });
            begun.await();
        }

        @Override
        public void close() {
            ends.set(true);
            writing.join();
        }
    }

    /** A store is as the first one was at one moment not before {@code least}; verified, and open to write. */
    private static void assertWhole(Settings settings, long least, long most) {
        try (Penstock store = Penstock.open(settings)) {
            Map<String, String> found = new TreeMap<>();
            for (int i = 0; i < RECORDS; i++) {
                found.put("k" + i, words(store).get("k" + i).orElse("none"));
            }
            assertThat(found)
                    .allSatisfy((key, value) -> assertThat(value)
                            .isEqualTo((value.startsWith("x") ? "x".repeat(100_000) : "value ") + key.substring(1)));
            long left = counts(store).get("left").orElseThrow();
            assertThat(counts(store).get("right")).hasValue(left);
            assertThat(left).isBetween(least, most);
            assertThat(store.admin().verify().violations()).isEmpty();
            words(store).put("own", "value");
            assertThat(words(store).get("own")).hasValue("value");
        }
    }

    /** Backs up and copies the store at a place, while somebody counts in it, and opens what came of it. */
    private void assertSaved(Place place) throws InterruptedException {
        long least;
        long atFull;
        long atCopy;
        long most;
        try (Penstock store = Penstock.open(place.settings("penstock"))) {
            fill(store);
            try (Counting writer = new Counting(store)) {
                assertRuns(place.options("penstock"), "backup", "--to", place.text("saved"));
                assertThat(out.toString()).startsWith("full backup");
                least = writer.acknowledged.get();
                assertRuns(place.options("penstock"), "backup", "--to", place.text("saved"));
                assertThat(out.toString()).startsWith("incremental backup");
                atFull = writer.acknowledged.get();
                assertRuns(place.options("penstock"), "copy", "--to", place.text("copy"));
                atCopy = writer.acknowledged.get();
                try (Penstock other = Penstock.open(place.settings("by-admin"))) {
                    assertThat(store.admin().copy(other).missing()).isZero();
                }
                most = writer.acknowledged.get() + 1;
            }
        }
        assertRuns(place.options("again"), "restore", "--from", place.text("saved"));
        assertWhole(place.settings("again"), least, atFull + 1);
        assertRuns(place.options("copy"), "verify");
        assertWhole(place.settings("copy"), atFull, atCopy + 1);
        assertWhole(place.settings("by-admin"), atCopy, most);
    }

    /**
     * A bucket with stores.
     *
     * @param address as options name it
     */
    private record Place(Settings base, String address, List<String> servers) {
        Settings settings(String prefix) {
            return base.prefix(prefix);
        }

        String text(String folder) {
            return (address.contains("://") ? address : "s3://" + address) + "/" + folder;
        }

        List<String> options(String prefix) {
            List<String> all = new ArrayList<>(List.of("--bucket", address, "--prefix", prefix));
            all.addAll(servers);
            return all;
        }
    }

    @Test
    void storeWithQueuesIsSavedWhileSomebodyWrites() throws InterruptedException {
        Endpoint endpoint = RealServers.localstack();
        CREDENTIALS.forEach(System::setProperty);
        String bucket = "copies-" + run;
        String address = endpoint.s3().toString();
        try (ObjectStore objects = S3ObjectStore.open(S3Settings.bucket(bucket)
                        .endpoint(endpoint.s3())
                        .region(Endpoint.REGION)
                        .pathStyle(true)
                        .createBucket(true));
                QueueService queues = SqsQueueService.open(
                        SqsSettings.standard().endpoint(endpoint.s3()).region(Endpoint.REGION), tasks)) {
            assertSaved(new Place(
                    Settings.on(objects, queues, tasks).pageBytes(4096),
                    bucket,
                    List.of(
                            "--path-style",
                            "--region",
                            Endpoint.REGION,
                            "--endpoint-s3",
                            address,
                            "--endpoint-sqs",
                            address)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcs", "azurite"})
    void storeOnAnotherCloudIsSavedWhileSomebodyWrites(String server) throws InterruptedException {
        BucketAddress address = Buckets.address(server, "copies-" + run);
        try (ObjectStore objects = address.open()) {
            assertSaved(new Place(Settings.on(objects, tasks).pageBytes(4096), address.bucket(), servers(address)));
        }
    }

    private static List<String> servers(BucketAddress address) {
        return List.of("--endpoint", address.endpoint().orElseThrow().toString());
    }

    /** The way from a directory into a cloud, and back. */
    @ParameterizedTest
    @ValueSource(strings = {"gcs", "azurite"})
    void storeInADirectoryIsSavedInAnotherCloud(String server) {
        BucketAddress address = Buckets.address(server, "from-directory-" + run);
        Settings local = Settings.local(directory.resolve("shop"));
        try (ObjectStore objects = address.open()) {
            Place place = new Place(Settings.on(objects, tasks), address.bucket(), servers(address));
            try (Penstock store = Penstock.open(local)) {
                fill(store);
            }
            List<String> shop =
                    new ArrayList<>(List.of("--dir", directory.resolve("shop").toString()));
            shop.addAll(servers(address));
            assertRuns(shop, "backup", "--to", place.text("saved"));
            assertRuns(shop, "copy", "--to", place.text("copy"));
            assertWhole(place.settings("copy"), 0, 0);
            assertThat(directory.resolve("again").toFile().mkdir()).isTrue();
            shop.set(1, directory.resolve("again").toString());
            assertRuns(shop, "restore", "--from", place.text("saved"));
            assertWhole(Settings.local(directory.resolve("again")), 0, 0);
        }
    }
}
