package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ObjectStore}, tested on a strongly consistent one. A subclass gives a store to {@link
 * #run}; where an implementation differs it overrides the test and says why.
 */
public abstract class ObjectStoreContract {
    private static final int PAGE_BYTES = 64 << 10;

    /** The store under test: the same one at every call within a test, empty below {@link #prefix()} at its start. */
    protected abstract ObjectStore store();

    /** Time and threads of the test. */
    protected abstract Tasks tasks();

    /** Runs one test's body: inside a simulation, say. */
    protected void run(Runnable body) {
        body.run();
    }

    /** The common prefix of all keys of this test, for a store that others use as well. */
    protected String prefix() {
        return "";
    }

    /** The size of the big object, in bytes. */
    protected int bigObjectBytes() {
        return 8 << 20;
    }

    private String key(String name) {
        return prefix() + name;
    }

    private Written put(String name, String body) {
        return store().put(key(name), Bytes.utf8(body), WriteCondition.ALWAYS);
    }

    private String read(String name) {
        return store().get(key(name)).orElseThrow().body().toUtf8();
    }

    @Test
    public void readsWhatWasWritten() {
        run(() -> {
            long before = tasks().nowMillis();
            Written written = put("a", "one");
            StoredObject found = store().get(key("a")).orElseThrow();
            assertThat(found.body()).isEqualTo(Bytes.utf8("one"));
            assertThat(found.version()).isEqualTo(written.version());
            // A server's clock may be some seconds off, and S3 tells whole seconds.
            assertThat(found.modifiedMillis()).isBetween(before - 60_000, tasks().nowMillis() + 60_000);
            assertThat(written.serverMillis()).isBetween(before - 60_000, tasks().nowMillis() + 60_000);
        });
    }

    @Test
    public void looksWithTheStoresTime() {
        run(() -> {
            long before = put("a", "one").serverMillis();
            TimedObject there = store().getTimed(key("a"));
            assertThat(there.object()).isEqualTo(store().get(key("a")));
            assertThat(there.serverMillis()).isBetween(before, before + 60_000);
            TimedObject missing = store().getTimed(key("none"));
            assertThat(missing.object()).isEmpty();
            assertThat(missing.serverMillis()).isBetween(before, before + 60_000);
        });
    }

    @Test
    public void missingObjectIsEmptyEverywhere() {
        run(() -> {
            assertThat(store().get(key("none"))).isEmpty();
            assertThat(store().getRange(key("none"), 0, 10)).isEmpty();
            assertThat(store().getIfChanged(key("none"), new ObjectVersion("0123456789abcdef")))
                    .isInstanceOf(Refreshed.Missing.class);
            assertThat(store().list(key("none"), "", 10).entries()).isEmpty();
            store().delete(key("none"));
            store().deleteAll(List.of(key("none"), key("none/either")));
        });
    }

    @Test
    public void overwritesWithANewVersion() {
        run(() -> {
            Written first = put("a", "one");
            Written second = put("a", "two");
            assertThat(second.version()).isNotEqualTo(first.version());
            assertThat(read("a")).isEqualTo("two");
        });
    }

    @Test
    public void emptyBodyIsAnObject() {
        run(() -> {
            put("empty", "");
            StoredObject found = store().get(key("empty")).orElseThrow();
            assertThat(found.body().length()).isZero();
            assertThat(store().getRange(key("empty"), 0, 10)
                            .orElseThrow()
                            .body()
                            .length())
                    .isZero();
            assertThat(store().list(key("empty"), "", 10).entries().getFirst().bytes())
                    .isZero();
        });
    }

    @Test
    public void bigObjectComesBackWhole() {
        run(() -> {
            byte[] body = new byte[bigObjectBytes()];
            new Random(7).nextBytes(body);
            store().put(key("big"), Bytes.wrap(body), WriteCondition.ALWAYS);
            assertThat(store().get(key("big")).orElseThrow().body().toArray()).isEqualTo(body);
            Bytes tail = store().getRange(key("big"), body.length - 3, 3)
                    .orElseThrow()
                    .body();
            assertThat(tail).isEqualTo(Bytes.wrap(body, body.length - 3, 3));
        });
    }

    @Test
    public void writesAndReadsASliceOfAnArray() {
        run(() -> {
            Bytes slice = Bytes.utf8("..body..").slice(2, 6);
            store().put(key("slice"), slice, WriteCondition.ALWAYS);
            assertThat(read("slice")).isEqualTo("body");
        });
    }

    /** Whatever such an object is, nobody who reads it whole makes room for it. */
    @Test
    public void anObjectBeyondTheBoundIsOnlyReadInParts() {
        run(() -> {
            byte[] part = new byte[11 << 20];
            ObjectUpload upload = store().upload(key("huge"), part.length);
            for (int number = 1; number <= 4; number++) {
                part[0] = (byte) number;
                upload.part(number, Bytes.wrap(part));
            }
            upload.complete(4);
            assertThatThrownBy(() -> store().get(key("huge"))).isInstanceOf(CorruptDataException.class);
            assertThatThrownBy(() -> store().getIfChanged(key("huge"), new ObjectVersion("another")))
                    .isInstanceOf(CorruptDataException.class);
            Bytes fourth = store().getRange(key("huge"), 3L * part.length, 1)
                    .orElseThrow()
                    .body();
            assertThat(fourth.at(0)).isEqualTo((byte) 4);
        });
    }

    @Test
    public void rangesAreCutAtTheEnd() {
        run(() -> {
            Written written = put("r", "0123456789");
            assertThat(range(0, 10)).isEqualTo("0123456789");
            assertThat(range(0, 1)).isEqualTo("0");
            assertThat(range(9, 1)).isEqualTo("9");
            assertThat(range(3, 4)).isEqualTo("3456");
            assertThat(range(8, 100)).isEqualTo("89");
            assertThat(range(1, Integer.MAX_VALUE)).isEqualTo("123456789");
            assertThat(range(10, 1)).isEmpty();
            assertThat(range(Long.MAX_VALUE / 2, 5)).isEmpty();
            assertThat(store().getRange(key("r"), 2, 2).orElseThrow().version()).isEqualTo(written.version());
        });
    }

    private String range(long offset, int length) {
        return store().getRange(key("r"), offset, length).orElseThrow().body().toUtf8();
    }

    @Test
    public void refreshTellsWhetherAnObjectChanged() {
        run(() -> {
            ObjectVersion first = put("a", "one").version();
            assertThat(store().getIfChanged(key("a"), first)).isInstanceOf(Refreshed.Unchanged.class);
            ObjectVersion second = put("a", "two").version();
            Refreshed refreshed = store().getIfChanged(key("a"), first);
            assertThat(refreshed).isInstanceOfSatisfying(Refreshed.Changed.class, changed -> {
                assertThat(changed.object().body().toUtf8()).isEqualTo("two");
                assertThat(changed.object().version()).isEqualTo(second);
            });
            store().delete(key("a"));
            assertThat(store().getIfChanged(key("a"), second)).isInstanceOf(Refreshed.Missing.class);
        });
    }

    @Test
    public void ifAbsentWritesOnlyTheFirst() {
        run(() -> {
            store().put(key("a"), Bytes.utf8("one"), WriteCondition.IF_ABSENT);
            assertThatThrownBy(() -> store().put(key("a"), Bytes.utf8("two"), WriteCondition.IF_ABSENT))
                    .isInstanceOf(ConflictException.class);
            assertThat(read("a")).isEqualTo("one");
            store().delete(key("a"));
            store().put(key("a"), Bytes.utf8("three"), WriteCondition.IF_ABSENT);
            assertThat(read("a")).isEqualTo("three");
        });
    }

    @Test
    public void ifVersionWritesOnlyOverThatVersion() {
        run(() -> {
            ObjectVersion first = put("a", "one").version();
            ObjectVersion second = store().put(key("a"), Bytes.utf8("two"), WriteCondition.ifVersion(first))
                    .version();
            assertConflict("a", first);
            assertThat(read("a")).isEqualTo("two");
            store().delete(key("a"));
            assertConflict("a", second);
            assertThat(store().get(key("a"))).isEmpty();
            assertConflict("never", second);
        });
    }

    private void assertConflict(String name, ObjectVersion version) {
        assertThatThrownBy(() -> store().put(key(name), Bytes.utf8("lost"), WriteCondition.ifVersion(version)))
                .isInstanceOf(ConflictException.class);
    }

    @Test
    public void racingIfAbsentHasOneWinner() {
        run(() -> {
            for (int round = 0; round < 10; round++) {
                String name = "race" + round;
                List<Boolean> won = inParallel(16, racer -> tryCreate(name, "racer" + racer));
                assertThat(won.stream().filter(w -> w).count()).as("winners").isEqualTo(1);
                assertThat(read(name).strip()).isEqualTo("racer" + won.indexOf(true));
            }
        });
    }

    /** As large as a page: a server that looks first and writes afterwards takes its time between the two. */
    private static Bytes paged(String text) {
        return Bytes.utf8(text + " ".repeat(PAGE_BYTES - text.length()));
    }

    private boolean tryCreate(String name, String body) {
        while (true) {
            try {
                store().put(key(name), paged(body), WriteCondition.IF_ABSENT);
                return true;
            } catch (ConflictException e) {
                // S3 may answer 409 to all racers; only an object that is there ends the race.
                if (store().get(key(name)).isPresent()) {
                    return false;
                }
            }
        }
    }

    @Test
    public void racingIfVersionLosesNoUpdate() {
        run(() -> {
            store().put(key("counter"), paged("0"), WriteCondition.ALWAYS);
            inParallel(8, racer -> {
                for (int i = 0; i < 25; i++) {
                    increment();
                }
                return true;
            });
            assertThat(read("counter").strip()).isEqualTo("200");
        });
    }

    private void increment() {
        while (true) {
            StoredObject now = store().get(key("counter")).orElseThrow();
            String next = String.valueOf(Integer.parseInt(now.body().toUtf8().strip()) + 1);
            try {
                store().put(key("counter"), paged(next), WriteCondition.ifVersion(now.version()));
                return;
            } catch (ConflictException lost) {
                // Another racer was first: read again.
            }
        }
    }

    private <T> List<T> inParallel(int racers, IntFunction<T> body) {
        List<Task<T>> started = new ArrayList<>();
        // All wait at the start, so that the first is not done before the last has begun.
        Promise<Boolean> start = tasks().promise();
        for (int racer = 0; racer < racers; racer++) {
            int number = racer;
            started.add(tasks().fork("racer " + racer, () -> {
                start.await();
                return body.apply(number);
            }));
        }
        start.complete(true);
        return started.stream().map(Task::join).toList();
    }

    @Test
    public void readersSeeWholeObjectsWhileTheyAreReplaced() {
        run(() -> {
            store().put(key("a"), filled((byte) 0), WriteCondition.ALWAYS);
            Task<Boolean> writer = tasks().start("writer", () -> {
                for (int i = 1; i <= 50; i++) {
                    store().put(key("a"), filled((byte) i), WriteCondition.ALWAYS);
                }
            });
            do {
                Bytes seen = store().get(key("a")).orElseThrow().body();
                assertThat(seen).isEqualTo(filled(seen.at(0)));
            } while (!writer.isDone());
            writer.join();
        });
    }

    private static Bytes filled(byte value) {
        byte[] body = new byte[20_000];
        Arrays.fill(body, value);
        return Bytes.wrap(body);
    }

    @Test
    public void deleteIsIdempotent() {
        run(() -> {
            put("a", "one");
            store().delete(key("a"));
            store().delete(key("a"));
            assertThat(store().get(key("a"))).isEmpty();
        });
    }

    @Test
    public void deleteAllRemovesManyAndNothingElse() {
        run(() -> {
            List<String> doomed = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                doomed.add(key("d/" + i));
            }
            for (String key : doomed.subList(0, 60)) {
                store().put(key, Bytes.utf8("x"), WriteCondition.ALWAYS);
            }
            put("kept", "x");
            // More than S3 takes in one request, and most are not there.
            store().deleteAll(doomed);
            store().deleteAll(List.of());
            assertThat(keys("d/")).isEmpty();
            assertThat(read("kept")).isEqualTo("x");
        });
    }

    /** Keys that a file system, a URL or a careless comparison would get wrong. */
    protected List<String> trickyKeys() {
        String longComponent = "l".repeat(79);
        return List.of(
                "a",
                "a/b",
                "a/b/c",
                "a-b",
                "a.b",
                "a0",
                "a/",
                "a//b",
                "A",
                "B",
                "b",
                ".",
                "..",
                "../x",
                "./x",
                "a/../b",
                "/lead",
                "x.o",
                "x.d",
                "x.c",
                "x.d/y",
                "%41",
                "sp ace",
                "q?u=e#r&y",
                "back\\slash",
                "co:lon",
                "*",
                "\u0001",
                "é",
                "z",
                "中文",
                "\uffee",
                "\ud83d\ude00",
                "~",
                "unfinished",
                "CON",
                "nul",
                "tab\tnew\nline",
                longComponent,
                longComponent + "l",
                longComponent + "l/b",
                longComponent + "l-",
                longComponent + "l0",
                longComponent + "ll",
                "m".repeat(300),
                "m".repeat(300) + "/n",
                "é".repeat(200));
    }

    /** Prefixes of some of the tricky keys, and of none. */
    protected List<String> trickyPrefixes() {
        return List.of("a", "a/", "a/b", "l", "l".repeat(80), "m".repeat(250), "é", ".", "zz");
    }

    @Test
    public void trickyKeysStayApart() {
        run(() -> {
            for (String name : trickyKeys()) {
                put(name, "body of " + name);
            }
            for (String name : trickyKeys()) {
                assertThat(read(name)).isEqualTo("body of " + name);
            }
            for (String name : trickyKeys()) {
                store().delete(key(name));
                assertThat(store().get(key(name))).isEmpty();
            }
            assertThat(keys("")).isEmpty();
        });
    }

    @Test
    public void listsInTheOrderOfUtf8Bytes() {
        run(() -> {
            trickyKeys().forEach(name -> put(name, name));
            List<String> sorted = sorted(trickyKeys());
            assertThat(keys("")).isEqualTo(sorted);
            for (String prefix : trickyPrefixes()) {
                assertThat(keys(prefix))
                        .isEqualTo(sorted.stream()
                                .filter(k -> k.startsWith(prefix))
                                .toList());
            }
            for (int i = 0; i < sorted.size(); i++) {
                Listing after = store().list(prefix(), key(sorted.get(i)), 1_000);
                assertThat(names(after)).isEqualTo(sorted.subList(i + 1, sorted.size()));
            }
        });
    }

    @Test
    public void pagesJoinToTheWholeListing() {
        run(() -> {
            trickyKeys().forEach(name -> put(name, name));
            for (int limit : new int[] {1, 2, 7, trickyKeys().size(), 1_000}) {
                List<String> found = new ArrayList<>();
                Listing page = store().list(prefix(), "", limit);
                found.addAll(names(page));
                while (page.more()) {
                    assertThat(page.entries().size()).isLessThanOrEqualTo(limit);
                    String last = page.entries().isEmpty()
                            ? key(found.getLast())
                            : key(names(page).getLast());
                    page = store().list(prefix(), last, limit);
                    found.addAll(names(page));
                }
                assertThat(found).isEqualTo(sorted(trickyKeys()));
            }
        });
    }

    @Test
    public void listingTellsSizeAndVersion() {
        run(() -> {
            Written written = put("p/a", "12345");
            Listing.Entry entry = store().list(key("p/"), "", 10).entries().getFirst();
            StoredObject read = store().get(key("p/a")).orElseThrow();
            assertThat(entry.key()).isEqualTo(key("p/a"));
            assertThat(entry.bytes()).isEqualTo(5);
            assertThat(entry.version()).isEqualTo(written.version());
            assertThat(entry.modifiedMillis() / 1_000).isEqualTo(read.modifiedMillis() / 1_000);
        });
    }

    @Test
    public void listingFollowsDeletesAndOverwrites() {
        run(() -> {
            Set<String> expected = new HashSet<>();
            Random random = new Random(11);
            for (int i = 0; i < 120; i++) {
                String name = "f/" + random.nextInt(30);
                if (random.nextInt(3) == 0) {
                    store().delete(key(name));
                    expected.remove(name);
                } else {
                    put(name, "x" + i);
                    expected.add(name);
                }
            }
            assertThat(keys("f/")).isEqualTo(sorted(expected));
        });
    }

    @Test
    public void refusesBadKeys() {
        run(() -> {
            assertRefused("");
            assertRefused("k".repeat(1_025));
            assertRefused("é".repeat(513));
            String longest = key(longName(1_024 - prefix().length()));
            store().put(longest, Bytes.utf8("x"), WriteCondition.IF_ABSENT);
            assertThat(store().get(longest).orElseThrow().body().toUtf8()).isEqualTo("x");
            assertThat(store().list(prefix(), "", 10).entries().getFirst().key())
                    .isEqualTo(longest);
        });
    }

    /** A name of that many letters, for the longest key. */
    protected String longName(int length) {
        return "k".repeat(length);
    }

    private void assertRefused(String key) {
        assertThatThrownBy(() -> store().put(key, Bytes.utf8("x"), WriteCondition.ALWAYS))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> store().get(key)).isInstanceOf(InvalidRequestException.class);
    }

    private List<String> keys(String namePrefix) {
        Listing listing = store().list(key(namePrefix), "", 1_000);
        assertThat(listing.more()).isFalse();
        return names(listing);
    }

    private List<String> names(Listing listing) {
        return listing.entries().stream()
                .map(entry -> entry.key().substring(prefix().length()))
                .toList();
    }

    private static List<String> sorted(Collection<String> names) {
        return names.stream().sorted(Comparator.comparing(Bytes::utf8)).toList();
    }

    private static Bytes part(int seed, int bytes) {
        byte[] part = new byte[bytes];
        new Random(seed).nextBytes(part);
        return Bytes.wrap(part);
    }

    @Test
    public void anUploadIsThereWhenItIsComplete() {
        run(() -> {
            int partBytes = ObjectUpload.PART_BYTES_MIN;
            Bytes first = part(1, partBytes);
            Bytes last = part(2, 1000);
            ObjectUpload upload = store().upload(key("uploaded"), partBytes);
            upload.part(2, last);
            upload.part(1, part(3, partBytes));
            upload.part(1, first);
            assertThat(store().get(key("uploaded"))).isEmpty();
            assertThat(store().list(key("upl"), "", 10).entries()).isEmpty();
            upload.complete(2);
            assertThat(store().get(key("uploaded")).orElseThrow().body()).isEqualTo(first.concat(last));
            assertThat(store().getRange(key("uploaded"), partBytes - 10, 20)
                            .orElseThrow()
                            .body())
                    .isEqualTo(first.slice(partBytes - 10, partBytes).concat(last.slice(0, 10)));
            upload.complete(2);
            assertThat(store().list(key("upl"), "", 10).entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.bytes()).isEqualTo(partBytes + 1000L));
        });
    }

    @Test
    public void anAbortedUploadLeavesWhatWasThere() {
        run(() -> {
            put("kept", "before");
            ObjectUpload upload = store().upload(key("kept"), 100);
            upload.part(1, part(1, 100));
            upload.abort();
            upload.abort();
            assertThat(read("kept")).isEqualTo("before");
            ObjectUpload empty = store().upload(key("never"), 100);
            empty.abort();
            assertThat(store().get(key("never"))).isEmpty();
        });
    }

    @Test
    public void anUploadReplacesWhatWasThere() {
        run(() -> {
            Written before = put("replaced", "before");
            ObjectUpload upload = store().upload(key("replaced"), 100);
            upload.part(1, Bytes.utf8("after"));
            upload.complete(1);
            StoredObject found = store().get(key("replaced")).orElseThrow();
            assertThat(found.body().toUtf8()).isEqualTo("after");
            assertThat(found.version()).isNotEqualTo(before.version());
        });
    }

    @Test
    public void partsThatNoServerTakesAreRefused() {
        run(() -> {
            ObjectUpload upload = store().upload(key("refused"), 100);
            assertThatThrownBy(() -> upload.part(0, part(1, 10))).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> upload.part(10_001, part(1, 10))).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> upload.part(1, part(1, 101))).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> upload.part(1, Bytes.EMPTY)).isInstanceOf(InvalidRequestException.class);
            upload.part(1, part(1, 10));
            assertThatThrownBy(() -> upload.complete(2)).isInstanceOf(InvalidRequestException.class);
            upload.abort();
        });
    }
}
