package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.core.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code scripts/simulate}.
 *
 * @param one whether a single seed was asked for
 * @param step from one seed to the next: 1, or the number of processes that share the seeds
 * @param as the level whose promises are checked, if not the one that runs
 * @param minutes how long to go on, in place of a number of seeds; 0: no limit
 * @param compressed whether the collections are compressed
 */
record Options(
        long from,
        long seeds,
        boolean one,
        long step,
        double minutes,
        int jobs,
        @Nullable ConsistencyLevel level,
        @Nullable Workload workload,
        @Nullable String cut,
        @Nullable ConsistencyLevel as,
        @Nullable String elle,
        boolean trace,
        boolean table,
        boolean compressed) {
    private static final Set<String> FLAGS = Set.of("--trace", "--table", "--compressed");
    private static final Set<String> VALUES = Set.of(
            "--seeds",
            "--from",
            "--seed",
            "--step",
            "--minutes",
            "--jobs",
            "--level",
            "--workload",
            "--cut",
            "--as",
            "--elle");
    private static final long SEEDS = 1_000;
    private static final int JOBS_MAX = 64;

    /** @throws InvalidRequestException saying what is wrong with the command line */
    static Options parse(List<String> arguments) {
        Map<String, String> given = Arguments.parse(arguments, FLAGS, VALUES, usage());
        boolean one = given.containsKey("--seed");
        for (String name : List.of("--trace", "--elle")) {
            if (given.containsKey(name) && !one) {
                throw new InvalidRequestException(name + " tells of one run; name it by --seed S");
            }
        }
        boolean endless = given.containsKey("--minutes") && !given.containsKey("--seeds");
        return new Options(
                number(given, one ? "--seed" : "--from", 0, Long.MIN_VALUE, Long.MAX_VALUE),
                one ? 1 : number(given, "--seeds", endless ? Long.MAX_VALUE : SEEDS, 1, Long.MAX_VALUE),
                one,
                number(given, "--step", 1, 1, JOBS_MAX),
                decimal(given, "--minutes"),
                one ? 1 : (int) number(given, "--jobs", 1, 1, JOBS_MAX),
                named(ConsistencyLevel.class, given, "--level"),
                named(Workload.class, given, "--workload"),
                given.get("--cut"),
                named(ConsistencyLevel.class, given, "--as"),
                given.get("--elle"),
                given.containsKey("--trace"),
                given.containsKey("--table"),
                given.containsKey("--compressed"));
    }

    static String usage() {
        return "scripts/simulate [--seeds N] [--from S] [--level L] [--workload W] [--minutes M] [--jobs J]"
                + " [--compressed]"
                + " | --seed S [--trace] [--cut CUTS] [--as L] [--elle FILE] | --table";
    }

    private static long number(Map<String, String> given, String name, long usual, long min, long max) {
        String text = given.get(name);
        if (text == null) {
            return usual;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new InvalidRequestException(
                "option " + name + " needs a whole number" + (min > 0 ? " of at least " + min : "")
                        + (max < Long.MAX_VALUE ? " and at most " + max : "") + ", not " + text);
    }

    private static double decimal(Map<String, String> given, String name) {
        String text = given.get(name);
        if (text == null) {
            return 0;
        }
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && value < 1e6) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new InvalidRequestException("option " + name + " needs a positive number, not " + text);
    }

    private static <E extends Enum<E>> @Nullable E named(Class<E> type, Map<String, String> given, String name) {
        String text = given.get(name);
        if (text == null) {
            return null;
        }
        String wanted = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException("option " + name + " needs one of "
                        + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))
                        + ", not " + text));
    }

    /** The promises to check in a scenario. */
    List<Promise> promises(Scenario scenario) {
        return as == null ? Promises.of(scenario) : Promises.of(as);
    }

    Scenario scenario(long seed) {
        Scenario plain = Draw.scenario(seed, level, workload);
        Scenario drawn = compressed ? plain.compressed() : plain;
        return cut == null ? drawn : Cut.parse(drawn, cut);
    }
}
