package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Users who come to another client at every step, as behind a load balancer, with no more than the token of the step
 * before: their sessions keep their promises, while clients crash and servers fail.
 */
class MovingSessionsTest {
    private static final int MACHINES = 3;
    private static final int USERS = 4;
    private static final int STEPS = Integer.getInteger("penstock.token.steps", 60);
    private static final long SEEDS = Long.getLong("penstock.token.seeds", 12);
    private static final long FIRST = Long.getLong("penstock.token.first", 1);

    /** What a user knows: the token, and what it promises. */
    private static final class User {
        final int number;

        /** Null before the first step. */
        String token;

        /** Writes of unknown outcome end a generation: nobody can say what to expect of its keys. */
        int generation;

        long first;
        long second;
        Map<String, Long> seen = new HashMap<>();

        User(int number) {
            this.number = number;
        }

        User copy() {
            User copy = new User(number);
            copy.token = token;
            copy.generation = generation;
            copy.first = first;
            copy.second = second;
            copy.seen = new HashMap<>(seen);
            return copy;
        }

        String key(String which) {
            return "u" + number + "-" + generation + which;
        }
    }

    /** A user's keys are on one page. Not all are, so that a visit need not read all that another has read. */
    private static RecordCollection<String, String> keysOf(Penstock store, User user) {
        return user.number % 2 == 0 ? words(store) : store.collection("more", Keys.string(), Json.of(String.class));
    }

    /** One run. Written by users in turn. */
    private static final class Run {
        final SimulatedStore cloud;
        final ConsistencyLevel level;
        final Random random;
        final Settings[] settings = new Settings[MACHINES];
        final Penstock[] stores = new Penstock[MACHINES];
        final SimulatedClient[] machines = new SimulatedClient[MACHINES];
        final User[] users = new User[USERS];
        final Session.Tokens tokens;
        final List<String> broken = new ArrayList<>();
        int started;
        int steps;
        int done;

        Run(SimulatedStore cloud, ConsistencyLevel level, long seed) {
            this.cloud = cloud;
            this.level = level;
            this.random = new Random(seed * 0x9e3779b97f4a7c15L); // the first draws of small seeds are alike
            Session.Tokens some =
                    random.nextBoolean() ? Session.Tokens.signed(SessionTokenTest.KEY) : Session.Tokens.unsigned();
            this.tokens = random.nextInt(4) == 0
                    ? some.waitAtMost(Duration.ofSeconds(1)).orStale()
                    : some;
            for (int u = 0; u < USERS; u++) {
                users[u] = new User(u);
            }
        }

        boolean strict() {
            return level.isolates();
        }

        boolean keepsSessions() {
            return level != ConsistencyLevel.NAIVE && level != ConsistencyLevel.BASIC;
        }

        /** Starts a machine in place of one that is gone. */
        void start(int m) {
            String name = "m" + m + "-" + started++;
            SimulatedClient machine = cloud.machine(name);
            machine.skewClock(Duration.ofMillis(random.nextInt(4000) - 2000));
            settings[m] = cloud.settings(name)
                    .pageBytes(64 << 10)
                    .level(level)
                    .tokens(tokens)
                    .advanced(advanced -> advanced.sweeping(true))
                    .staleness(strict() ? Duration.ofSeconds(30) : Duration.ZERO)
                    .checkpointInterval(Duration.ofSeconds(2 + random.nextInt(8)))
                    .ttl(Duration.ofSeconds(2 + random.nextInt(15)))
                    .advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(5)))
                    .deadAfter(Duration.ofSeconds(30))
                    .callBudget(Duration.ofSeconds(20))
                    .advanced(advanced -> advanced.lease(Duration.ofSeconds(10)));
            machines[m] = machine;
            stores[m] = null;
        }

        /** A user's visit of a machine. Machines that crash meanwhile take its answer along. */
        void step() {
            User user = users[random.nextInt(USERS)];
            int m = random.nextInt(MACHINES);
            SimulatedClient machine = machines[m];
            User next = user.copy();
            boolean[] wrote = {false};
            boolean[] ended = {false};
            Task<Boolean> visit = machine.start("visit", () -> {
                try {
                    Penstock store = stores[m];
                    if (store == null) {
                        store = Penstock.open(settings[m]);
                        stores[m] = store;
                    }
                    visit(store, next, wrote);
                    ended[0] = true;
                } catch (StoreException unlucky) {
                    assertThat(unlucky.getMessage()).isNotEmpty();
                }
            });
            if (random.nextInt(25) == 0) {
                cloud.sleep(Duration.ofMillis(random.nextInt(1500)));
                machine.crash();
                start(m);
            }
            try {
                visit.join();
            } catch (CrashedException crashed) {
                assertThat(ended[0]).isFalse();
            }
            steps++;
            if (ended[0]) {
                done++;
                users[user.number] = next;
            } else if (wrote[0]) {
                user.generation++;
                user.first = 0;
                user.second = 0;
            }
        }

        private void visit(Penstock store, User user, boolean[] wrote) {
            try (Session session = user.token == null ? store.newSession() : store.session(user.token)) {
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    if (random.nextBoolean()) {
                        wrote[0] = true;
                        write(store, session, user);
                    }
                    read(store, session, user, user, keepsSessions());
                    read(store, session, user, users[random.nextInt(USERS)], false);
                }
                user.token = session.token();
                assertThat(user.token).hasSizeLessThanOrEqualTo(3000);
            }
        }

        /** First one key, then, with another visit in between as a rule, the other: nobody sees the second alone. */
        private void write(Penstock store, Session session, User user) {
            boolean second = user.second < user.first;
            String key = user.key(second ? "b" : "a");
            String value = String.valueOf(second ? user.second + 1 : user.first + 1);
            session.transact(transaction -> {
                transaction.put(keysOf(store, user), key, value);
                return true;
            });
            if (second) {
                user.second++;
            } else {
                user.first++;
            }
        }

        private void read(Penstock store, Session session, User reader, User writer, boolean own) {
            String keyOfFirst = writer.key("a");
            String keyOfSecond = writer.key("b");
            long[] found = new long[2];
            TransactionBody<Boolean> body = transaction -> {
                found[1] = value(transaction, keysOf(store, writer), keyOfSecond);
                found[0] = value(transaction, keysOf(store, writer), keyOfFirst);
                return true;
            };
            if (strict()) {
                session.read(body);
            } else {
                session.transact(body);
            }
            String what = "second=" + found[1] + " first=" + found[0] + " at=" + cloud.seconds() + "s reader="
                    + reader.number + " writer=" + writer.number;
            if (session.isWhole()) {
                check(!own || found[0] >= writer.first && found[1] >= writer.second, "read your writes", what);
                check(isForward(reader, keyOfFirst, found[0]), "monotonic reads", what + reader.seen);
                check(isForward(reader, keyOfSecond, found[1]), "monotonic reads", what + reader.seen);
                check(!keepsSessions() || found[0] >= found[1], "monotonic writes", what);
                reader.seen.merge(keyOfFirst, found[0], Math::max);
                reader.seen.merge(keyOfSecond, found[1], Math::max);
            }
        }

        private boolean isForward(User reader, String key, long value) {
            return level == ConsistencyLevel.NAIVE || value >= reader.seen.getOrDefault(key, 0L);
        }

        private void check(boolean kept, String promise, String what) {
            if (!kept) {
                broken.add(promise + ": " + what);
            }
        }

        private long value(Transaction transaction, RecordCollection<String, String> of, String key) {
            return transaction.get(of, key).map(Long::parseLong).orElse(0L);
        }
    }

    static Run run(ConsistencyLevel level, long seed) {
        Run[] run = new Run[1];
        new SimulatedStore(seed, World.CALM).run(cloud -> {
            run[0] = new Run(cloud, level, seed);
            try (Penstock first = Penstock.open(cloud.settings("first").level(level))) {
                words(first).put("begin", "0");
            }
            cloud.cloud.setWorld(seed % 3 == 0 ? World.CALM : World.ROUGH);
            for (int m = 0; m < MACHINES; m++) {
                run[0].start(m);
            }
            for (int i = 0; i < STEPS; i++) {
                run[0].step();
                cloud.sleep(Duration.ofMillis(run[0].random.nextInt(8) == 0 ? 20_000 : run[0].random.nextInt(2500)));
            }
            cloud.cloud.setWorld(World.CALM);
            for (SimulatedClient machine : run[0].machines) {
                machine.crash();
            }
        });
        return run[0];
    }

    private static void theyKeepTheirPromises(ConsistencyLevel level) {
        int done = 0;
        int steps = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Run run = run(level, seed);
            assertThat(run.broken).as("seed=%d level=%s", seed, level).isEmpty();
            done += run.done;
            steps += run.steps;
        }
        assertThat(done).as("of %d steps", steps).isGreaterThan(steps / 2);
    }

    @Test
    void atNaiveTheyGoOn() {
        theyKeepTheirPromises(ConsistencyLevel.NAIVE);
    }

    @Test
    void atBasicTheyReadForward() {
        theyKeepTheirPromises(ConsistencyLevel.BASIC);
    }

    @Test
    void atMonotonicTheyKeepAllPromises() {
        theyKeepTheirPromises(ConsistencyLevel.MONOTONIC);
    }

    @Test
    void atAtomicTheyKeepAllPromises() {
        theyKeepTheirPromises(ConsistencyLevel.ATOMIC);
    }

    @Test
    void atSnapshotTheyKeepAllPromises() {
        theyKeepTheirPromises(ConsistencyLevel.SNAPSHOT);
    }

    @Test
    void atSerializableTheyKeepAllPromises() {
        theyKeepTheirPromises(ConsistencyLevel.SERIALIZABLE);
    }
}
