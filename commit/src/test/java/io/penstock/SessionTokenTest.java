package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.token.TokenProbe;
import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions that go on at another client, step by step. {@link MovingSessionsTest} draws the steps. */
class SessionTokenTest {
    static final byte[] KEY = "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private static final Session.Tokens SIGNED = Session.Tokens.signed(KEY);

    /** Two clients of which neither checkpoints unless it must. */
    private static void atTwo(Function<Settings, Settings> how, Scene scene) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings a = how.apply(cloud.settings("a").checkpointInterval(Duration.ofHours(1)));
            Settings b = how.apply(cloud.settings("b").checkpointInterval(Duration.ofHours(1)));
            try (Penstock left = Penstock.open(a);
                    Penstock right = Penstock.open(b)) {
                scene.play(cloud, left, right);
            }
        });
    }

    @FunctionalInterface
    private interface Scene {
        void play(SimulatedStore cloud, Penstock left, Penstock right);
    }

    private static void put(Penstock store, Session session, String key, String value) {
        session.transact(transaction -> {
            transaction.put(words(store), key, value);
            return true;
        });
    }

    private static String get(Penstock store, Session session, String key) {
        return session.transact(
                transaction -> transaction.get(words(store), key).orElse("none"));
    }

    private static String read(Penstock store, Session session, String key) {
        return session.read(transaction -> transaction.get(words(store), key).orElse("none"));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void aSignedTokenCarriesTheNewestWritesAndWaitsForNothing(ConsistencyLevel level) {
        atTwo(settings -> settings.level(level).tokens(SIGNED), (cloud, left, right) -> {
            put(left, left.newSession(), "x", "old");
            left.admin().checkpoint();
            assertThat(words(right).get("x")).hasValue("old");
            Session session = left.newSession();
            put(left, session, "x", "new");
            String token = session.token();
            assertThat(token).hasSizeLessThanOrEqualTo(3000).matches("[A-Za-z0-9_-]+");
            Session moved = right.session(token);
            assertThat(moved.isWhole()).isTrue();
            assertThat(get(right, moved, "x")).isEqualTo("new");
            assertThat(words(right).get("x")).hasValue("old");
            assertThat(right.admin().backlog().pendingMessages()).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void withoutRecordsTheQueuesAreCheckpointedHere(ConsistencyLevel level) {
        atTwo(settings -> settings.level(level), (cloud, left, right) -> {
            put(left, left.newSession(), "x", "old");
            left.admin().checkpoint();
            assertThat(words(right).get("x")).hasValue("old");
            Session session = left.newSession();
            put(left, session, "x", "new");
            Session moved = right.session(session.token());
            assertThat(moved.isWhole()).isTrue();
            assertThat(get(right, moved, "x")).isEqualTo("new");
            // Only the session's own reads ask the store again; by now the pool has the page for all.
            assertThat(words(right).get("x")).hasValue("new");
        });
    }

    @Test
    void aTokenThatIsNotMetInTimeFailsOrReadsStaleAsSet() {
        Session.Tokens atOnce = Session.Tokens.unsigned().waitAtMost(Duration.ZERO);
        atTwo(settings -> settings.tokens(atOnce), (cloud, left, right) -> {
            Session session = left.newSession();
            put(left, session, "x", "new");
            String token = session.token();
            assertThatThrownBy(() -> right.session(token))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
            left.admin().checkpoint();
            assertThat(get(right, right.session(token), "x")).isEqualTo("new");
        });
        atTwo(settings -> settings.tokens(atOnce.orStale()), (cloud, left, right) -> {
            Session session = left.newSession();
            put(left, session, "x", "new");
            Session stale = right.session(session.token());
            assertThat(stale.isWhole()).isFalse();
            assertThat(get(right, stale, "x")).isEqualTo("none");
            left.admin().checkpoint();
            assertThat(right.session(stale.token()).isWhole()).isTrue();
        });
    }

    /** What was read at one client, from a page, is not unread at another whose pool has an older page. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void readsAreMonotonicFromClientToClient(ConsistencyLevel level) {
        atTwo(settings -> settings.level(level), (cloud, left, right) -> {
            put(left, left.newSession(), "x", "1");
            left.admin().checkpoint();
            assertThat(words(right).get("x")).hasValue("1");
            put(left, left.newSession(), "x", "2");
            left.admin().checkpoint();
            Session session = left.newSession();
            assertThat(get(left, session, "x")).isEqualTo("2");
            assertThat(words(right).get("x")).hasValue("1");
            assertThat(get(right, right.session(session.token()), "x")).isEqualTo("2");
        });
    }

    /** A commit elsewhere waits until the earlier ones are on pages. */
    @Test
    void aCommitElsewhereOvertakesNothing() {
        writesAreMonotonicFromClientToClient(ConsistencyLevel.MONOTONIC);
        writesAreMonotonicFromClientToClient(ConsistencyLevel.ATOMIC);
    }

    private static void writesAreMonotonicFromClientToClient(ConsistencyLevel level) {
        atTwo(settings -> settings.level(level).tokens(SIGNED), (cloud, left, right) -> {
            Session session = left.newSession();
            put(left, session, "first", "1");
            Session moved = right.session(session.token());
            assertThat(words(right).get("first")).isEmpty();
            put(right, moved, "second", "1");
            try (Penstock third = cloud.open("c")) {
                assertThat(words(third).get("first")).hasValue("1");
            }
        });
    }

    @Test
    void whoStaysAtAClientAsksForNoPage() {
        atTwo(settings -> settings, (cloud, left, right) -> {
            put(left, left.newSession(), "x", "1");
            left.admin().checkpoint();
            assertThat(words(left).get("x")).hasValue("1");
            AtomicInteger calls = new AtomicInteger();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (step == CallWatcher.Step.BEGINS && on.contains("pages/")) {
                    calls.incrementAndGet();
                }
            });
            Session session = left.session(left.newSession().token());
            assertThat(get(left, session, "x")).isEqualTo("1");
            assertThat(get(left, left.session(session.token()), "x")).isEqualTo("1");
            assertThat(calls).hasValue(0);
            // A round trip over another client.
            String token = right.session(session.token()).token();
            Session back = left.session(token);
            assertThat(get(left, back, "x")).isEqualTo("1");
            assertThat(calls.get()).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void strictReadsReachThePositionThatTheSessionHasSeen(ConsistencyLevel level) {
        atTwo(settings -> settings.level(level).staleness(Duration.ofHours(1)), (cloud, left, right) -> {
            put(left, left.newSession(), "x", "1");
            Session reader = right.newSession();
            assertThat(read(right, reader, "x")).isEqualTo("1");
            Session session = left.newSession();
            put(left, session, "x", "2");
            assertThat(read(right, reader, "x")).isEqualTo("1");
            Session moved = right.session(session.token());
            assertThat(read(right, moved, "x")).isEqualTo("2");
        });
    }

    @Test
    void aTokenThatCannotBeUsedIsRefusedOrBeginsANewSessionAsSet() {
        atTwo(settings -> settings.tokens(SIGNED), (cloud, left, right) -> {
            put(left, left.newSession(), "x", "1");
            String token = left.newSession().token();
            try (Penstock other =
                            Penstock.open(cloud.settings("c").prefix("other").tokens(SIGNED));
                    Penstock plain = cloud.open("d");
                    Penstock keyed = Penstock.open(cloud.settings("e")
                            .tokens(Session.Tokens.signed(new byte[16]).orAnew()))) {
                refused(right, "", "it was cut or changed");
                refused(right, "<script>", "it was cut or changed");
                refused(right, token.substring(0, token.length() - 3), "it was cut or changed");
                refused(right, "A".repeat(3001), "it is longer than any");
                refused(right, plain.newSession().token(), "it is not signed");
                refused(plain, token, "it is signed, and no key is set");
                refused(other, token, "it is of another store");
                Session anew = keyed.session(token);
                assertThat(anew.isWhole()).isFalse();
                put(keyed, anew, "x", "2");
                assertThat(get(keyed, anew, "x")).isEqualTo("2");
                assertThatThrownBy(() -> right.session(null))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INVALID_ARGUMENT));
                // Older than the queues' retention.
                cloud.sleep(Duration.ofDays(15));
                refused(right, token, "it is older than queues keep messages");
            }
        });
    }

    private static void refused(Penstock store, String token, String why) {
        assertThatThrownBy(() -> store.session(token))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("the session token cannot be used; begin a new session why=")
                .hasMessageContaining(why);
    }

    /** A client whose clock is hours ahead is not followed, though its tokens are signed. */
    @Test
    void aTokenFromTheFutureMovesNoClock() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings fast = cloud.settings("fast");
            cloud.machine("fast").skewClock(Duration.ofHours(3));
            try (Penstock left = Penstock.open(fast);
                    Penstock right = cloud.open("right")) {
                words(right).put("x", "1");
                refused(right, left.newSession().token(), "it is from the future");
            }
        });
    }

    /** A position beyond the log's end: of a store of the same name, or from before it was set back. */
    @Test
    void aTokenOfALogThatWasLongerIsRefused() {
        String[] token = new String[1];
        for (int segments : List.of(5, 1)) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                try (Penstock store = Penstock.open(cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE))) {
                    Session session = store.newSession();
                    for (int i = 0; i < segments; i++) {
                        put(store, session, "x", "v" + i);
                    }
                    if (token[0] == null) {
                        token[0] = session.token();
                    } else {
                        refused(store, token[0], "the store's commit logs are not those that it names");
                    }
                }
            });
        }
    }

    /** A token may name any queue: none is made because of it. */
    @Test
    void aTokenMakesNoQueues() {
        atTwo(
                settings -> settings.tokens(Session.Tokens.unsigned().waitAtMost(Duration.ofSeconds(3))),
                (cloud, left, right) -> {
                    put(left, left.newSession(), "x", "1");
                    left.admin().checkpoint();
                    int queues = cloud.queues("").size();
                    String forged = TokenProbe.forged(left.newSession().token());
                    Session session = right.session(forged);
                    assertThat(get(right, session, "x")).isEqualTo("1");
                    assertThat(cloud.queues("")).hasSize(queues);
                });
    }

    @Test
    void settingsThatMakeNoSense() {
        assertThatThrownBy(() -> Session.Tokens.signed(new byte[15]))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("a key for session tokens is too short; draw a random one bytes=15 bytesMin=16");
        assertThatThrownBy(Session.Tokens::signed)
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
        assertThatThrownBy(() -> Session.Tokens.unsigned().waitAtMost(Duration.ofMillis(-1)))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
    }

    @Test
    void aClosedSessionHasNoToken() {
        atTwo(settings -> settings, (cloud, left, right) -> {
            Session session = left.newSession();
            session.close();
            assertThatThrownBy(session::token).isInstanceOf(ClosedException.class);
        });
    }

    @Test
    void whatIsInMoreQueuesThanFitIsAppliedFirst() {
        atTwo(
                settings -> settings.advanced(advanced -> advanced.layout(Layout.partitioned(200))),
                (cloud, left, right) -> {
                    Session session = left.newSession();
                    session.transact(transaction -> {
                        for (int i = 0; i < 400; i++) {
                            transaction.put(words(left), "k" + i, "v");
                        }
                        return true;
                    });
                    String token = session.token();
                    assertThat(token).hasSizeLessThanOrEqualTo(3000);
                    assertThat(get(right, right.session(token), "k399")).isEqualTo("v");
                });
    }
}
