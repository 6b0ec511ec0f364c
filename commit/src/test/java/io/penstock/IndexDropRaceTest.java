package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Drops of an index of a domain beside its builds and other drops, each of which may stand still or crash. */
class IndexDropRaceTest {
    private static final String LOG = "/log/main/";
    private static final Duration LONG = Duration.ofMinutes(10);

    /** What a client does as it is about to put an object for the first time, or a later one. */
    private static final class Trap {
        private final SimulatedClient client;
        private final String part;
        private final Consumer<SimulatedClient> act;
        private int left;

        Trap(SimulatedClient client, String part, int number, Consumer<SimulatedClient> act) {
            this.client = client;
            this.part = part;
            this.left = number;
            this.act = act;
        }

        void see(SimulatedClient by, String on) {
            if (by == client && on.contains(part) && --left == 0) {
                act.accept(client);
            }
        }
    }

    private static void set(SimulatedStore cloud, Trap... traps) {
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.BEGINS && call.equals("put")) {
                List.of(traps).forEach(trap -> trap.see(client, on));
            }
        });
    }

    private static Trap trap(SimulatedStore cloud, String machine, String part, int number, boolean crash) {
        Consumer<SimulatedClient> act = crash ? SimulatedClient::crash : client -> client.freeze(LONG);
        return new Trap(cloud.machine(machine), part, number, act);
    }

    private static Penstock open(SimulatedStore cloud, String machine) {
        return Penstock.open(cloud.settings(machine).level(ConsistencyLevel.SERIALIZABLE));
    }

    private static Index<String, String, String> byWord(Penstock store) {
        return words(store).index("by-word", Keys.string(), word -> word);
    }

    private static void build(Index<String, String, String> index) {
        index.collection().build();
    }

    /** Starts what a client of its own does, and returns how that fails. */
    private static Task<Optional<StoreException>> fork(SimulatedStore cloud, String machine, Consumer<Penstock> work) {
        return cloud.machine(machine).fork("work", () -> {
            try (Penstock store = open(cloud, machine)) {
                work.accept(store);
                return Optional.<StoreException>empty();
            } catch (StoreException failure) {
                return Optional.of(failure);
            }
        });
    }

    private static void drop(Penstock store) {
        store.admin().dropIndex("words", "by-word");
    }

    private static void cutShort(Task<Optional<StoreException>> task) {
        assertThatThrownBy(task::join).isInstanceOf(CrashedException.class);
    }

    /** Others have built the index meanwhile, and retired it again, without a fence yet. */
    @Test
    void aDropEndsWhatItHasRetiredAlone() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = open(cloud, "b");
                    Penstock c = open(cloud, "c")) {
                words(b).put("k", "one");
                b.admin().checkpoint();
                Index<String, String, String> byWord = byWord(b);
                build(byWord);
                set(cloud, trap(cloud, "one", "catalog/words", 2, false), trap(cloud, "two", LOG, 1, false));
                Task<Optional<StoreException>> one = fork(cloud, "one", IndexDropRaceTest::drop);
                cloud.sleep(Duration.ofMinutes(1));
                build(byWord);
                try (Transaction tx = b.begin()) {
                    assertThat(tx.scan(byWord, "nine").hasNext()).isFalse();
                    cloud.sleep(Duration.ofMinutes(7));
                    Task<Optional<StoreException>> two = fork(cloud, "two", IndexDropRaceTest::drop);
                    assertThat(one.join()).isEmpty();
                    words(c).put("z", "nine");
                    tx.put(words(b), "t", "there was no nine");
                    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
                    var unused = two.join(); // it had no answer in time
                }
            }
        });
    }

    /** It has seen no leaf at the epoch at which the index was retired. */
    @Test
    void aBuildDoesNotEndWhatWasRetiredMeanwhile() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock c = open(cloud, "c")) {
                words(c).put("k", "one");
                c.admin().checkpoint();
                set(cloud, trap(cloud, "slow", "catalog/words", 3, false), trap(cloud, "drops", LOG, 1, true));
                Task<Optional<StoreException>> slow = fork(cloud, "slow", store -> build(byWord(store)));
                cloud.sleep(Duration.ofMinutes(1));
                Index<String, String, String> byWord = byWord(c);
                build(byWord);
                cutShort(fork(cloud, "drops", IndexDropRaceTest::drop));
                assertThat(slow.join()).get().is(code(ErrorCode.NOT_FOUND));
                words(c).put("k2", "two"); // by a program without the index
                c.admin().checkpoint();
                build(byWord);
                assertThat(c.admin().check(byWord).missing()).isZero();
                assertThat(byWord.scan(KeySpan.all()).stream()).hasSize(2);
            }
        });
    }

    @Test
    void noProofBeginsForWhatWasRetiredMeanwhile() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock c = open(cloud, "c")) {
                words(c).put("k", "one");
                c.admin().checkpoint();
                set(cloud, trap(cloud, "slow", "catalog/words", 4, false), trap(cloud, "drops", LOG, 1, true));
                Task<Optional<StoreException>> slow =
                        fork(cloud, "slow", store -> build(byWord(store).unique()));
                cloud.sleep(Duration.ofMinutes(1));
                cutShort(fork(cloud, "drops", IndexDropRaceTest::drop));
                assertThat(slow.join()).get().isInstanceOf(ConflictException.class);
                assertThatThrownBy(() -> byWord(c).scan("one").hasNext()).is(code(ErrorCode.INDEX_NOT_READY));
            }
        });
    }

    @Test
    void aUniqueIndexWhoseDropWasCutShortIsProvenByItsNextBuild() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = open(cloud, "b")) {
                words(b).put("k1", "one");
                words(b).put("k2", "one");
                b.admin().checkpoint();
                set(cloud, trap(cloud, "builds", LOG, 2, true), trap(cloud, "drops", LOG, 1, true));
                cutShort(fork(cloud, "builds", store -> build(byWord(store).unique())));
                cutShort(fork(cloud, "drops", IndexDropRaceTest::drop));
                cloud.sleep(Duration.ofMinutes(2));
                Index<String, String, String> byWord = byWord(b).unique();
                assertThatThrownBy(() -> build(byWord)).isInstanceOf(DuplicateException.class);
            }
        });
    }

    /** All leaves were indexed, and readers need not have noticed. */
    @Test
    void aUniqueIndexIsReadByNobodyBeforeTheFenceOfItsBuild() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = open(cloud, "b")) {
                words(b).put("k1", "one");
                b.admin().checkpoint();
                build(byWord(b).unique());
                set(cloud, trap(cloud, "builds", LOG, 1, true), trap(cloud, "drops", LOG, 1, true));
                cutShort(fork(cloud, "drops", IndexDropRaceTest::drop));
                cutShort(fork(cloud, "builds", store -> build(byWord(store).unique())));
                cloud.sleep(Duration.ofMinutes(2));
                assertThatThrownBy(() -> byWord(b).scan("one").hasNext()).is(code(ErrorCode.INDEX_NOT_READY));
            }
        });
    }
}
