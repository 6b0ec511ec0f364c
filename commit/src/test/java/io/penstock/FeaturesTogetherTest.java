package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.annotation.Key;
import io.penstock.annotation.Version;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.seal.MasterKeys;
import io.penstock.testkit.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features that were each sound alone, and not beside one another. */
class FeaturesTogetherTest {
    private final Settings settings = Settings.inMemory();
    private final Penstock store = Penstock.open(settings);

    @TempDir
    private Path directory;

    private record Page(
            @Key String path, String text, @Version long version) {}

    @AfterEach
    void close() {
        store.close();
    }

    private RecordCollection<String, Page> versioned(String name) {
        return store.collection(name, Keys.string(), Json.of(Page.class))
                .versioned(Page::version, (page, version) -> new Page(page.path, page.text, version));
    }

    private RecordCollection<String, String> texts(String name) {
        return store.collection(name, Keys.string(), Json.of(String.class));
    }

    /** A client that has an older state in memory looks again, before it tells that a version is stale. */
    @Test
    void theVersionOfTheRecordIsTakenByAClientThatHasAnOlderView() {
        try (Penstock other = Penstock.open(settings)) {
            RecordCollection<String, Page> pages = store.collection(Page.class);
            RecordCollection<String, Page> theirs = other.collection(Page.class);
            Page first = pages.put(new Page("home", "a", 0));
            assertThat(theirs.get("home")).hasValue(first);
            Page second = pages.put(first);
            Page third = theirs.put(second);
            assertThat(third.version).isEqualTo(3);
            Page fourth = pages.put(third);
            assertThatThrownBy(() -> theirs.put(third)).is(code(ErrorCode.STALE_VERSION));
            Page fifth = pages.put(fourth);
            other.transact(tx -> tx.put(theirs, fifth));
            Page sixth = pages.put(theirs.get("home").orElseThrow());
            theirs.remove(sixth);
            assertThat(pages.get("home")).isEmpty();
        }
    }

    @Test
    void aStreamIsRefusedWhereTheValueTellsSomething() {
        byte[] bytes = "{\"path\":\"home\",\"text\":\"t\",\"version\":7}".getBytes(StandardCharsets.UTF_8);
        RecordCollection<String, Page> pages = versioned("pages");
        pages.put("home", new Page("home", "a", 0));
        assertThatThrownBy(() -> pages.putStream("home", new ByteArrayInputStream(bytes)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("whole");
        RecordCollection<String, Instant> ending = store.collection("ending", Keys.string(), Json.of(Instant.class))
                .expiresAt(Function.identity());
        assertThatThrownBy(() -> ending.putStream("k", new ByteArrayInputStream(bytes)))
                .isInstanceOf(InvalidRequestException.class);
        RecordCollection<String, String> keyed = texts("keyed").keyedBy(Function.identity());
        assertThatThrownBy(() -> keyed.putStream("k", new ByteArrayInputStream(bytes)))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aTimeBeyondAllTimesIsNone() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock simulated = cloud.open("a")) {
                RecordCollection<String, Instant> ending = simulated
                        .collection("ending", Keys.string(), Json.of(Instant.class))
                        .expiresAfter(Duration.ofMinutes(1))
                        .expiresAt(Function.identity());
                ending.put("k", Instant.parse("2500-01-01T00:00:00Z"));
                cloud.sleep(Duration.ofMinutes(2));
                assertThat(ending.get("k")).isEmpty();
            }
        });
    }

    /** What expires before the commit is its own, and nobody else's. */
    @Test
    void aTransactionMayReadItsOwnRecordThatExpires() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock simulated = Penstock.open(cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, String> texts = SimulatedStore.words(simulated);
                Optional<String> read = simulated.transact(tx -> {
                    tx.put(texts, "k", "short", Duration.ofSeconds(5));
                    tx.put(texts, "l", "long");
                    Optional<String> found = tx.get(texts, "k");
                    cloud.sleep(Duration.ofSeconds(10));
                    return found;
                });
                assertThat(read).hasValue("short");
                assertThat(texts.get("k")).isEmpty();
                assertThat(texts.get("l")).hasValue("long");
            }
        });
    }

    @Test
    void aReviewAppliesToVersionsAndWithinATransaction() {
        RecordCollection<String, Page> pages = versioned("pages");
        pages.put("h", new Page("h", "old", 0));
        Page shown = pages.get("h").orElseThrow();
        Review<String, Page> review = Review.of(pages);
        String id = review.propose("h", Optional.of(new Page("h", "proposed", shown.version)), "ada");
        pages.put("h", new Page("h", "other", shown.version));
        AtomicReference<Integer> runs = new AtomicReference<>(0);
        assertThatThrownBy(() -> store.transact(tx -> {
                    runs.set(runs.get() + 1);
                    review.approve(id);
                    return true;
                }))
                .isInstanceOf(ConflictException.class)
                .is(code(ErrorCode.STALE_VERSION));
        assertThat(runs.get()).isLessThanOrEqualTo(2);
        review.approveRegardless(id);
        assertThat(pages.get("h")).hasValue(new Page("h", "proposed", 3));
    }

    @Test
    void aRangeOfLongKeysAndManyIndexesIsDeleted() {
        RecordCollection<String, String> wide = texts("wide");
        for (int i = 0; i < 6; i++) {
            int number = i;
            var unused = wide.index("i" + i, Keys.string(), value -> value + number);
        }
        for (int batch = 0; batch < 12; batch++) {
            int from = batch * 100;
            store.transact(tx -> {
                for (int i = from; i < from + 100; i++) {
                    tx.put(
                            wide,
                            String.format("%06d", i) + "k".repeat(300),
                            String.format("%06d", i) + "v".repeat(600));
                }
                return true;
            });
        }
        assertThat(wide.deleteRange(KeySpan.<String>all().limit(1_100))).isEqualTo(1_100);
        assertThat(wide.deleteRange(KeySpan.all())).isEqualTo(100);
        assertThat(wide.scan(KeySpan.all()).stream()).isEmpty();
    }

    /** Calls that go on after an interrupt may commit, so their outcome is unknown. */
    @Test
    void anInterruptOfACallWithADeadlineLeavesItsOutcomeUnknown() throws InterruptedException {
        RecordCollection<String, Long> counts = store.collection("counts", Keys.string(), Json.of(Long.class));
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                store.session().withDeadline(Duration.ofMinutes(1), () -> {
                    under.countDown();
                    awaitQuietly(told);
                    return RecordCollection.increment(counts, "x", 1);
                });
            } catch (RuntimeException thrown) {
                failure.set(thrown);
            }
        });
        caller.start();
        under.await();
        caller.interrupt();
        caller.join();
        told.countDown();
        assertThat(failure.get()).isInstanceOf(OutcomeUnknownException.class);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the key of a value is gone, its record can still be replaced and deleted, with its index entries. */
    @Test
    void recordsOfAForgottenKeyCanBeReplacedAndDeleted() throws IOException {
        Path file = Files.writeString(directory.resolve("keys"), line("main", 1) + "\n" + line("anna", 2));
        RecordCollection<String, String> before = mails(store, MasterKeys.file(file));
        for (String key : new String[] {"a", "b", "c"}) {
            before.put(key, key + "@x");
        }
        Files.writeString(file, line("main", 1));
        try (Penstock later = Penstock.open(settings)) {
            RecordCollection<String, String> mails = later.collection(
                    "mails", Keys.string(), Json.of(String.class).sealed(MasterKeys.file(file), "main"));
            Index<String, String, String> by = mails.index("by", Keys.string(), value -> value);
            later.admin().checkpoint();
            var more = mails.index("more", Keys.string(), value -> value);
            for (ThrowingCallable read : List.<ThrowingCallable>of(
                    () -> mails.get("a"), mails::build, () -> later.admin().check(by))) {
                assertThatThrownBy(read)
                        .is(code(ErrorCode.NO_KEY))
                        .hasMessageContaining("give its master key, or, if that was destroyed, replace or delete the")
                        .hasMessageContaining("master=anna");
            }
            assertThat(later.admin().scrub(by).left()).as("entries stay").isEqualTo(3);
            mails.put("a", "new@x");
            mails.delete("b");
            assertThat(mails.deleteRange(KeySpan.all())).isEqualTo(2);
            later.admin().scrub(by);
            assertThat(by.scan(KeySpan.all()).stream()).isEmpty();
            mails.build();
            assertThat(more.scan(KeySpan.all()).stream()).isEmpty();
            assertThat(later.admin().verify().violations()).isEmpty();
        }
    }

    private static RecordCollection<String, String> mails(Penstock store, MasterKeys keys) {
        RecordCollection<String, String> mails =
                store.collection("mails", Keys.string(), Json.of(String.class).sealed(keys, "anna"));
        var unused = mails.index("by", Keys.string(), value -> value);
        return mails;
    }

    private static String line(String name, int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return name + " " + Base64.getEncoder().encodeToString(key);
    }
}
