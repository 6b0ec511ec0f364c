package io.penstock.bench.tpcw.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrawsTest {
    @Test
    void digitsAreSpelledAsSyllables() {
        assertThat(Draws.digSyl(0, 0)).isEqualTo("BA");
        assertThat(Draws.digSyl(2880, 0)).isEqualTo("ALININBA");
        assertThat(Draws.digSyl(1_345_679, 0)).isEqualTo("OGRIRESEATULNG");
        assertThat(Draws.digSyl(7, 3)).isEqualTo("BABAUL");
    }

    @Test
    void aStreamIsAFunctionOfSeedPurposeAndNumber() {
        assertThat(Draws.of(1, "item", 5).aString(20, 20))
                .isEqualTo(Draws.of(1, "item", 5).aString(20, 20))
                .isNotEqualTo(Draws.of(2, "item", 5).aString(20, 20))
                .isNotEqualTo(Draws.of(1, "order", 5).aString(20, 20))
                .isNotEqualTo(Draws.of(1, "item", 6).aString(20, 20));
    }

    @Test
    void aSeedMeansTheSameForEver() {
        // As another program computes them.
        Draws draws = Draws.of(1, "anything", 1);
        assertThat(List.of(draws.between(1, 1_000_000), draws.between(1, 1_000_000), draws.between(1, 1_000_000)))
                .isEqualTo(List.of(889306, 728168, 180767));
    }

    @Test
    void drawsAreUniformAndKeepTheirBounds() {
        Draws draws = Draws.of(3, "dice", 0);
        int[] faces = new int[7];
        for (int i = 0; i < 60_000; i++) {
            faces[draws.between(1, 6)]++;
        }
        assertThat(faces[0]).isZero();
        for (int face = 1; face <= 6; face++) {
            assertThat(faces[face]).as("face %d", face).isBetween(9_600, 10_400);
        }
    }

    @Test
    void stringsAndDatesKeepTheirBounds() {
        Draws draws = Draws.of(4, "text", 0);
        Set<Integer> lengths = new HashSet<>();
        LocalDate first = LocalDate.of(2000, 2, 28);
        for (int i = 0; i < 1_000; i++) {
            assertThat(draws.aString(3, 8)).matches("[a-zA-Z0-9]{3,8}");
            assertThat(draws.date(first, first.plusDays(2))).isBetween(first, first.plusDays(2));
            String number = draws.nString(9, 16);
            assertThat(number).matches("[0-9]{9,16}");
            lengths.add(number.length());
        }
        assertThat(lengths).hasSize(8);
    }
}
