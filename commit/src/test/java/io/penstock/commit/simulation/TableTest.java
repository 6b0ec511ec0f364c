package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.commit.simulation.promise.Promises;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of docs/CONSISTENCY.md is what {@code scripts/simulate --table} prints: each of its seeds is run again. */
class TableTest {
    private static final Pattern SEED = Pattern.compile("broken by seed (\\d+)");

    /** One cell that is no promise. */
    private record Claim(String promise, ConsistencyLevel level, String cell) {}

    private static List<Claim> claims() throws IOException {
        String whole = Files.readString(Path.of("..", "docs", "CONSISTENCY.md"));
        int from = whole.indexOf("## The levels, side by side");
        String page = whole.substring(from, whole.indexOf("\n## ", from + 1));
        assertThat(page)
                .as("a column for each level; run scripts/simulate --table")
                .contains(Table.head());
        List<Claim> claims = new ArrayList<>();
        for (Promise promise : Table.all()) {
            String start = "| " + promise.name() + " |";
            assertThat(page)
                    .as("a row for %s; run scripts/simulate --table", promise.name())
                    .contains(start);
            String row = page.substring(page.indexOf(start) + start.length());
            String[] cells = row.substring(0, row.indexOf('\n')).split("\\|");
            for (ConsistencyLevel level : ConsistencyLevel.values()) {
                claims.add(new Claim(promise.name(), level, cells[level.ordinal()].strip()));
            }
        }
        return claims;
    }

    @Test
    void promisesAreThoseThatAreChecked() throws IOException {
        for (Claim claim : claims()) {
            boolean promised =
                    Promises.of(claim.level).stream().anyMatch(p -> p.name().equals(claim.promise));
            assertThat(claim.cell.equals("**promised**")).as("%s", claim).isEqualTo(promised);
            boolean kept =
                    Promises.keptBy(claim.level).stream().anyMatch(p -> p.name().equals(claim.promise));
            assertThat(claim.cell.equals(Table.KEPT)).as("%s", claim).isEqualTo(kept);
        }
    }

    @Test
    void eachSeedBreaksWhatItsCellSays() throws IOException {
        for (Claim claim : claims()) {
            Matcher seed = SEED.matcher(claim.cell);
            if (seed.matches()) {
                assertThat(Table.breaks(Long.parseLong(seed.group(1)), claim.level, claim.promise))
                        .as("%s; run scripts/simulate --table", claim)
                        .isTrue();
            }
        }
    }

    /** Or two levels would be one. */
    @Test
    void eachLevelBreaksSomethingThatTheNextOnePromises() throws IOException {
        List<Claim> claims = claims();
        ConsistencyLevel[] levels = ConsistencyLevel.values();
        for (int i = 0; i + 1 < levels.length; i++) {
            ConsistencyLevel level = levels[i];
            List<String> added =
                    Promises.addedBy(levels[i + 1]).stream().map(Promise::name).toList();
            assertThat(claims)
                    .as("%s against %s", level, levels[i + 1])
                    .anyMatch(c -> c.level == level
                            && added.contains(c.promise)
                            && SEED.matcher(c.cell).matches());
        }
    }
}
