package io.penstock.commit.simulation.standstill;

import io.penstock.commit.simulation.Arguments;
import io.penstock.core.InvalidRequestException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program behind {@code scripts/simulate --standstill}. Ends with 0 when all that was written stayed, 1 when
 * something did not, 2 when it was called wrongly.
 */
final class Standstills {
    private static final int CALLED_WRONGLY = 2;
    private static final String USAGE = "--seed S, which tells the story, or [--seeds N] [--from S]";

    private Standstills() {}

    public static void main(String[] arguments) {
        int status;
        try {
            status = run(Arguments.parse(List.of(arguments), Set.of(), Set.of("--seed", "--seeds", "--from"), USAGE));
        } catch (IllegalArgumentException | InvalidRequestException e) {
            System.err.println("simulate --standstill: " + e.getMessage());
            status = CALLED_WRONGLY;
        }
        System.exit(status);
    }

    private static int run(Map<String, String> given) {
        boolean one = given.containsKey("--seed");
        long from = Long.parseLong(given.getOrDefault(one ? "--seed" : "--from", "1"));
        long seeds = one ? 1 : Long.parseLong(given.getOrDefault("--seeds", "1000"));
        return run(from, seeds, one) == 0 ? 0 : 1;
    }

    private static long run(long from, long seeds, boolean tells) {
        long failed = 0;
        for (long seed = from; seed < from + seeds; seed++) {
            StandstillRun.Outcome outcome = StandstillRun.run(seed);
            if (tells) {
                outcome.story().forEach(System.out::println);
            }
            if (!outcome.broken().isEmpty()) {
                failed++;
                System.out.println("FAILED " + outcome.broken().getFirst());
            }
        }
        System.out.println(seeds + " seeds, " + failed + " failed");
        return failed;
    }
}
