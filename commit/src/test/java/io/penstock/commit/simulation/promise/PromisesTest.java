package io.penstock.commit.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.FinalState;
import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.Workload;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each promise can be broken, and is broken alone: histories by hand. */
class PromisesTest {
    private final History history = new History();
    private final Map<String, FinalState.Found> end = new TreeMap<>();
    private Order order = Order.UNSEEN;
    private long now;

    private static Stamp stamp(int millis) {
        return Stamp.of(millis, 0, new ClientId(1));
    }

    private History.Transaction transaction(String session, int millis) {
        History.Transaction transaction = history.begin(session, ConsistencyLevel.ATOMIC, ++now);
        transaction.stamp = stamp(millis);
        transaction.outcome = History.Outcome.ACKNOWLEDGED;
        transaction.endNanos = ++now;
        return transaction;
    }

    private void wrote(String session, int millis, String key, @Nullable String value) {
        transaction(session, millis).writes.put(key, value);
    }

    private void read(String session, String key, @Nullable String value) {
        transaction(session, 0).reads.add(new History.Read(key, value));
    }

    private void ends(String key, @Nullable String value, int millis) {
        end.put(key, new FinalState.Found(value, stamp(millis)));
    }

    private List<String> broken() {
        return broken(Workload.REGISTER, Evidence.ByIndex.NONE, live(), List.of());
    }

    private Map<String, String> live() {
        Map<String, String> live = new TreeMap<>();
        end.forEach((key, found) -> {
            if (found.value() != null) {
                live.put(key, found.value());
            }
        });
        return live;
    }

    private List<String> broken(
            Workload workload, Evidence.ByIndex index, Map<String, String> others, List<String> holes) {
        Evidence evidence = new Evidence(
                workload, history, end, others, index, List.of(), List.of(), holes, order, Evidence.Space.NONE);
        return Promises.of(ConsistencyLevel.ATOMIC).stream()
                .filter(promise -> !promise.violations(evidence).isEmpty())
                .map(Promise::name)
                .distinct()
                .toList();
    }

    @Test
    void aQuietHistoryBreaksNothing() {
        wrote("s", 1, "r/k", "a");
        read("s", "r/k", "a");
        wrote("s", 2, "r/k", "b");
        read("t", "r/k", "b");
        ends("r/k", "b", 2);
        assertThat(broken()).isEmpty();
    }

    @Test
    void aLostWrite() {
        wrote("s", 1, "r/k", "a");
        assertThat(broken()).containsExactly("acknowledged writes survive");
    }

    @Test
    void anOlderWriteThatWins() {
        wrote("s", 2, "r/k", "b");
        wrote("t", 1, "r/k", "a");
        ends("r/k", "a", 1);
        assertThat(broken()).containsExactly("acknowledged writes survive", "the newest stamp wins");
    }

    @Test
    void aValueFromNowhere() {
        ends("r/k", "x", 1);
        assertThat(broken()).containsExactly("only committed writes are seen");
    }

    @Test
    void aReadOfWhatFailed() {
        History.Transaction failed = transaction("s", 0);
        failed.writes.put("r/k", "a");
        failed.stamp = Stamp.ZERO;
        failed.outcome = History.Outcome.FAILED;
        read("t", "r/k", "a");
        assertThat(broken()).containsExactly("only committed writes are seen");
    }

    @Test
    void clientsThatDiffer() {
        wrote("s", 1, "r/k", "a");
        ends("r/k", "a", 1);
        assertThat(broken(Workload.REGISTER, Evidence.ByIndex.NONE, Map.of(), List.of()))
                .containsExactly("all clients converge");
    }

    @Test
    void aRecordThatItsIndexMisses() {
        wrote("s", 1, "r/k", "a");
        ends("r/k", "a", 1);
        assertThat(broken(Workload.INDEX, new Evidence.ByIndex("r", Map.of()), live(), List.of()))
                .containsExactly("an index agrees with its collection");
    }

    @Test
    void aReadThatForgetsAnOwnWrite() {
        wrote("t", 1, "r/k", "a");
        wrote("s", 2, "r/k", "b");
        read("s", "r/k", "a");
        ends("r/k", "b", 2);
        assertThat(broken()).containsExactly("read your writes");
    }

    @Test
    void aReadThatGoesBack() {
        wrote("t", 1, "r/k", "a");
        wrote("t", 2, "r/k", "b");
        read("s", "r/k", "b");
        read("s", "r/k", "a");
        ends("r/k", "b", 2);
        assertThat(broken()).containsExactly("monotonic reads");
    }

    @Test
    void aReadThatFindsNothingAnyMore() {
        wrote("t", 1, "r/k", "a");
        read("s", "r/k", "a");
        read("s", "r/k", null);
        ends("r/k", "a", 1);
        assertThat(broken()).containsExactly("monotonic reads");
    }

    @Test
    void aLaterWriteWithAnOlderStamp() {
        wrote("s", 2, "r/k", "a");
        wrote("s", 1, "r/l", "b");
        ends("r/k", "a", 2);
        ends("r/l", "b", 1);
        assertThat(broken()).containsExactly("monotonic writes");
    }

    @Test
    void aHoleOfALivingClient() {
        assertThat(broken(Workload.REGISTER, Evidence.ByIndex.NONE, Map.of(), List.of("hole")))
                .containsExactly("monotonic writes");
    }

    @Test
    void aWriteThatLosesToWhatItsTransactionHasRead() {
        wrote("t", 5, "r/k", "a");
        History.Transaction late = transaction("s", 3);
        late.reads.add(new History.Read("r/k", "a"));
        late.writes.put("r/l", "b");
        ends("r/k", "a", 5);
        ends("r/l", "b", 3);
        assertThat(broken()).containsExactly("writes follow reads");
    }

    /** A session writes k and then l; another sees the new l, and then k as it was. */
    private void seenInTheWrongOrder() {
        wrote("a/s", 1, "r/k", "k1");
        wrote("a/s", 2, "r/k", "k2");
        wrote("a/s", 3, "r/l", "l3");
        read("b/t", "r/l", "l3");
        read("b/t", "r/k", "k1");
        wrote("a/s", 4, "r/m", "m4");
        ends("r/k", "k2", 2);
        ends("r/l", "l3", 3);
        ends("r/m", "m4", 4);
    }

    @Test
    void aLaterWriteThatIsSeenWithoutTheEarlier() {
        seenInTheWrongOrder();
        assertThat(broken()).as("on two pages").isEmpty();
        order = new Order(true, session -> true);
        assertThat(broken()).containsExactly("monotonic writes");
        order = new Order(true, session -> false);
        assertThat(broken()).as("others may have taken its client for dead").isEmpty();
    }

    @Test
    void aWriteThatIsSeenWithoutWhatItsTransactionHasRead() {
        wrote("c/u", 1, "r/k", "k1");
        wrote("c/u", 2, "r/k", "k2");
        History.Transaction follows = transaction("a/s", 3);
        follows.reads.add(new History.Read("r/k", "k2"));
        follows.writes.put("r/l", "l3");
        read("b/t", "r/l", "l3");
        read("b/t", "r/k", "k1");
        ends("r/k", "k2", 2);
        ends("r/l", "l3", 3);
        assertThat(broken()).isEmpty();
        order = new Order(true, session -> false);
        assertThat(broken()).containsExactly("writes follow reads");
    }

    @Test
    void halfOfATransaction() {
        History.Transaction open = transaction("s", 0);
        open.outcome = History.Outcome.OPEN;
        open.writes.put("r/k", "a");
        open.writes.put("r/l", "b");
        ends("r/k", "a", 1);
        assertThat(broken()).containsExactly("all or nothing");
    }

    @Test
    void moneyThatIsGone() {
        History.Transaction open = transaction("s", 0);
        open.outcome = History.Outcome.OPEN;
        open.writes.put("r/b" + Workload.LEFT, "t=30");
        ends("r/b" + Workload.LEFT, "t=30", 1);
        assertThat(broken(Workload.BANK, Evidence.ByIndex.NONE, live(), List.of()))
                .containsExactly("all or nothing");
    }
}
