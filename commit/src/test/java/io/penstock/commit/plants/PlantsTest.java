package io.penstock.commit.plants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import io.penstock.testing.JdkCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All planted bugs still fit the code, and some of them are found, as {@code scripts/simulate --plants} finds all. */
class PlantsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final long FEW_SEEDS = 400;

    private static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyPlantFitsTheCode() {
        List<Patch> patches = new Plants(ROOT, FEW_SEEDS, false).patches(List.of());
        assertThat(patches).hasSizeGreaterThan(10);
        for (Patch patch : patches) {
            assertThat(patch.apply(PlantsTest::read))
                    .as(patch.name())
                    .allSatisfy((file, text) -> assertThat(text).isNotEqualTo(read(file)));
        }
    }

    @Test
    void everyPlantIsListed() {
        List<String> listed = read("docs/findings/plants.csv")
                .lines()
                .skip(1)
                .map(row -> row.substring(0, row.indexOf(',')))
                .toList();
        assertThat(new Plants(ROOT, FEW_SEEDS, false).patches(List.of()))
                .extracting(Patch::name)
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void aPlantThatDoesNotFitIsToldInOneLine() {
        List<String> lines = List.of(
                "mistake: none", "promise: none", "--- a/pom.xml", "+++ b/pom.xml", "@@ -1,1 +1,1 @@", "-gone", "+new");
        Patch patch = Patch.parse("old", lines);
        assertThatThrownBy(() -> patch.apply(PlantsTest::read))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("plant old does not apply to pom.xml: its lines are not there; make its patch anew");
        assertThatThrownBy(() -> Patch.parse("bad", lines.subList(1, 3)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("mend bad");
    }

    /** The quickest to be found; the seeds that were needed are in docs/findings/plants.csv. */
    @ParameterizedTest
    @ValueSource(strings = {"clock-blind-to-reads", "overlay-dropped-at-ttl", "no-hold-back"})
    @Tag("long")
    void thePlantIsFoundAndItsPromiseNamed(String name) {
        JdkCompiler.require();
        Plants plants = new Plants(ROOT, FEW_SEEDS, false);
        Plants.Verdict verdict = plants.tryOut(plants.patches(List.of(name)).getFirst());
        assertThat(verdict.isRight()).as("%s", verdict).isTrue();
    }
}
