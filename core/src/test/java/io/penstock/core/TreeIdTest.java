package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TreeIdTest {
    /** Two collections shared a tree, and each had the other's records. */
    @Test
    void clonesDrawDifferentTreesForDifferentNames() {
        assertThat(TreeId.draw(new Random(1), "cards")).isNotEqualTo(TreeId.draw(new Random(1), "lines"));
    }

    @Test
    void eachDrawIsAnotherTree() {
        Random random = new Random(1);
        assertThat(TreeId.draw(random, "cards")).isNotEqualTo(TreeId.draw(random, "cards"));
    }
}
