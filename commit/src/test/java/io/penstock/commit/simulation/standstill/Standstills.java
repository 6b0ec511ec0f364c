package io.penstock.commit.simulation.standstill;

import java.util.List;

/**
 * The program behind {@code scripts/simulate --standstill}. Ends with 0 when all that was written stayed, 1 when
 * something did not, 2 when it was called wrongly.
 */
final class Standstills {
    private static final int CALLED_WRONGLY = 2;

    private Standstills() {}

    /** @param arguments {@code --seed S}, which tells the story, or {@code --seeds N --from S} */
    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        long from = value(given, "--from", 1);
        long seeds = value(given, "--seeds", 1_000);
        if (given.contains("--seed")) {
            from = value(given, "--seed", 1);
            seeds = 1;
        }
        System.exit(run(from, seeds, given.contains("--seed")) == 0 ? 0 : 1);
    }

    private static long value(List<String> given, String name, long otherwise) {
        int at = given.indexOf(name);
        try {
            return at < 0 ? otherwise : Long.parseLong(given.get(at + 1));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            System.err.println("simulate --standstill: " + name + " is a number; use --seed S or --seeds N --from S");
            System.exit(CALLED_WRONGLY);
            throw e;
        }
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
