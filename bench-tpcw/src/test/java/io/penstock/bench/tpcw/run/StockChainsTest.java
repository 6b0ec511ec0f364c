package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import io.penstock.bench.tpcw.bookstore.Scale;
import org.junit.jupiter.api.Test;

class StockChainsTest {
    private static final Population POPULATION = new Population(1, new Scale(1, 100));

    private final StockChains chains = new StockChains();

    private static StockChange change(long item, long order, long previousOrder) {
        return new StockChange(previousOrder, 0, POPULATION.item(item).sold(1, order));
    }

    @Test
    void anUnbrokenChainLosesNothing() {
        chains.acknowledge(change(1, 10, 0));
        chains.acknowledge(change(1, 11, 10));
        chains.acknowledge(change(1, 12, 11));
        chains.acknowledge(change(2, 13, 0));
        assertThat(chains.lost(item -> item == 1 ? 12 : 13)).isZero();
    }

    @Test
    void twoThatSawTheSameLoseOne() {
        chains.acknowledge(change(1, 10, 0));
        chains.acknowledge(change(1, 11, 10));
        chains.acknowledge(change(1, 12, 10));
        assertThat(chains.lost(item -> 12)).isEqualTo(1);
        assertThat(chains.lost(item -> 11)).isEqualTo(1);
    }

    @Test
    void aWholeBranchIsLostWithItsRoot() {
        chains.acknowledge(change(1, 10, 0));
        chains.acknowledge(change(1, 11, 10));
        chains.acknowledge(change(1, 12, 11));
        chains.acknowledge(change(1, 13, 0));
        assertThat(chains.lost(item -> 13)).isEqualTo(3);
    }

    @Test
    void anItemBackAtItsPopulationHasLostAll() {
        chains.acknowledge(change(1, 10, 0));
        chains.acknowledge(change(1, 11, 10));
        assertThat(chains.lost(item -> Item.FROM_POPULATION)).isEqualTo(2);
    }

    @Test
    void aChangeOfUnknownOutcomeLinksButDoesNotCount() {
        chains.acknowledge(change(1, 10, 0));
        chains.link(change(1, 11, 10));
        chains.acknowledge(change(1, 12, 11));
        assertThat(chains.lost(item -> 12)).isZero();
        assertThat(chains.lost(item -> 11)).isEqualTo(1);
    }
}
