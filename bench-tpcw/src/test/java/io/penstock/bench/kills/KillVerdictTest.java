package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.Durability;
import io.penstock.core.Stamp;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of kills, on stores with planted faults. */
class KillVerdictTest {
    private static final KillPlan.Source SOURCE = new KillPlan.Source(1, 4, false);

    /** The first transactions of this seed's first writer with and without large records. */
    private static final KillPlan SMALL = first(false);

    private static final KillPlan LARGE = first(true);

    @TempDir
    private Path directory;

    private final Map<Long, Stamp> acknowledged = new HashMap<>();
    private final HashSet<Long> begun = new HashSet<>();
    private final HashSet<Long> nothing = new HashSet<>();
    private Penstock store;
    private KillStore records;

    private static KillPlan first(boolean large) {
        return LongStream.iterate(1, n -> n + 1)
                .mapToObj(n -> KillPlan.draw(SOURCE, new Writing(1, n)))
                .filter(plan -> plan.parts() > 0 == large)
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void open() {
        store = Penstock.open(
                Settings.local(directory.resolve("store"), Durability.OS_CACHE).level(ConsistencyLevel.ATOMIC));
        records = KillStore.open(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void write(KillPlan plan, boolean told) {
        Stamp stamp;
        try (var tx = store.begin()) {
            plan.put(tx, records);
            stamp = tx.commit();
        }
        begun.add(plan.writing().number());
        if (told) {
            acknowledged.put(plan.writing().number(), stamp);
        }
    }

    private KillVerdict.Result judge() {
        return judge(SOURCE);
    }

    private KillVerdict.Result judge(KillPlan.Source source) {
        Journal.Content journal = new Journal.Content(begun, acknowledged, nothing, Set.of());
        return store.read(tx -> new KillVerdict(source, Map.of(1L, journal)).judge(tx, records));
    }

    private List<String> violationsAfter(boolean told, BiConsumer<KillStore, KillPlan> damage) {
        write(LARGE, told);
        damage.accept(records, LARGE);
        return judge().violations();
    }

    @Test
    void wholeAndAbsentTransactionsAreInOrder() {
        write(SMALL, true);
        write(LARGE, false);
        long last = Math.max(SMALL.writing().number(), LARGE.writing().number());
        begun.add(last + 1);
        KillVerdict.Result result = judge();
        assertThat(result.violations()).isEmpty();
        assertThat(result.begun()).isEqualTo(3);
        assertThat(result.acknowledged()).isEqualTo(1);
        assertThat(result.unacknowledgedWhole()).isEqualTo(1);
    }

    @Test
    void whatIsThereAlthoughItsWriterWasToldOtherwiseIsFound() {
        write(SMALL, false);
        nothing.add(SMALL.writing().number());
        assertThat(judge().violations()).singleElement().asString().startsWith("told that nothing was committed");
    }

    @Test
    void anAcknowledgedTransactionThatIsNotThereIsLost() {
        begun.add(1L);
        acknowledged.put(1L, Stamp.ZERO);
        assertThat(judge().violations()).singleElement().asString().startsWith("acknowledged and not whole: 1/1");
    }

    @Test
    void aTransactionIsNotThereInPart() {
        assertThat(violationsAfter(
                        false, (all, plan) -> all.right().delete(plan.writing().key())))
                .singleElement()
                .asString()
                .startsWith("there in part: ")
                .contains("left=true right=false");
    }

    @Test
    void aPartOfALargeTransactionIsMissed() {
        assertThat(violationsAfter(
                        true,
                        (all, plan) ->
                                all.large().delete(new Pair<>(plan.writing().key(), 17L))))
                .singleElement()
                .asString()
                .startsWith("acknowledged and not whole: ")
                .contains("parts=" + (LARGE.parts() - 1) + " of " + LARGE.parts());
    }

    @Test
    void theTwoSidesOfASharedRecordAgree() {
        assertThat(violationsAfter(true, (all, plan) -> all.sharedLeft().delete(plan.shared())))
                .singleElement()
                .asString()
                .startsWith("two sides of a shared record differ: ");
    }

    @Test
    void aSharedRecordIsOfATransactionThatIsThere() {
        records.sharedLeft().put(SMALL.shared(), SMALL.note(""));
        records.sharedRight().put(SMALL.shared(), SMALL.note(""));
        begun.add(SMALL.writing().number());
        assertThat(judge().violations()).singleElement().asString().startsWith("only its shared record is there: ");
    }

    @Test
    void anOlderTransactionDoesNotWinASharedRecord() {
        write(SMALL, true);
        KillPlan newer = LongStream.iterate(SMALL.writing().number() + 1, n -> n + 1)
                .mapToObj(n -> KillPlan.draw(SOURCE, new Writing(1, n)))
                .filter(plan -> plan.parts() == 0 && plan.shared() == SMALL.shared())
                .findFirst()
                .orElseThrow();
        write(newer, true);
        Note old = SMALL.note("");
        records.sharedLeft().put(SMALL.shared(), old);
        records.sharedRight().put(SMALL.shared(), old);
        assertThat(judge().violations()).singleElement().asString().startsWith("an older one won: ");
    }

    @Test
    void whatNobodyBeganIsNotThere() {
        write(SMALL, true);
        begun.clear();
        acknowledged.clear();
        assertThat(judge().violations()).anyMatch(line -> line.startsWith("no writer began it: "));
    }

    @Test
    void theMoneyOfABankIsThatOfItsTransfers() {
        KillPlan.Source bank = new KillPlan.Source(1, 4, true);
        records.openAccounts(store);
        write(KillPlan.draw(bank, new Writing(1, 1)), true);
        assertThat(judge(bank).violations()).isEmpty();
        records.accounts().put(3L, 0L);
        assertThat(judge(bank).violations())
                .singleElement()
                .asString()
                .startsWith("the balances are not those of the transfers: ")
                .contains("the sum is ");
    }
}
