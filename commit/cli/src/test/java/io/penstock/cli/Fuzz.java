package io.penstock.cli;

import io.penstock.CommitTargets;
import io.penstock.cli.transfer.TransferTargets;
import io.penstock.testing.CoreTargets;
import io.penstock.testing.FuzzTarget;
import io.penstock.testing.Fuzzing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program behind {@code scripts/fuzz}, and the target class of Jazzer. It lists the decoders, writes their valid
 * bytes to files, replays one input, and draws inputs from seeds.
 */
public final class Fuzz {
    private static final int FOUND = 1;
    private static final int WRONG_CALL = 2;

    private Fuzz() {}

    /** The decoder under Jazzer. */
    private static final class Chosen {
        static final FuzzTarget TARGET = named(System.getProperty("penstock.fuzz.target", ""));
    }

    private static List<FuzzTarget> targets() {
        return Stream.of(CoreTargets.all(), CommitTargets.all(), TransferTargets.all())
                .flatMap(List::stream)
                .toList();
    }

    private static FuzzTarget named(String name) {
        return targets().stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no target of this name; use --list target=" + name));
    }

    /** Runs one input of Jazzer, after it has corrected the checksums, which no search would find. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        Fuzzing.check(Chosen.TARGET, Chosen.TARGET.seal().apply(bytes.clone()));
    }

    /** {@code list}; {@code seeds TARGET DIRECTORY}; {@code replay TARGET FILE}; {@code drawn TARGET INPUTS}. */
    public static void main(String[] arguments) throws IOException {
        String command = String.join(" ", arguments);
        if (command.equals("list")) {
            targets().forEach(target -> System.out.println(target.name()));
        } else if (command.matches("seeds \\S+ .+") && arguments.length == 3) {
            writeSeeds(named(arguments[1]), Path.of(arguments[2]));
        } else if (command.matches("replay \\S+ .+") && arguments.length == 3) {
            replay(named(arguments[1]), Files.readAllBytes(Path.of(arguments[2])));
        } else if (command.matches("drawn \\S+ [0-9]{1,9}")) {
            draw(named(arguments[1]), Long.parseLong(arguments[2]));
        } else {
            System.err.println("use list, seeds TARGET DIRECTORY, replay TARGET FILE, or drawn TARGET INPUTS");
            System.exit(WRONG_CALL);
        }
    }

    private static void writeSeeds(FuzzTarget target, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (int i = 0; i < target.valid().size(); i++) {
            Files.write(directory.resolve("valid-" + i), target.valid().get(i));
        }
    }

    /** Inputs from seeds, without Jazzer: the same ones every time. */
    private static void draw(FuzzTarget target, long inputs) {
        try {
            Fuzzing.Outcome outcome = Fuzzing.run(target, 0, inputs);
            System.out.println(target + " read=" + outcome.taken() + " refused=" + outcome.refused());
        } catch (Fuzzing.Finding finding) {
            finding.printStackTrace(System.out);
            System.exit(FOUND);
        }
    }

    private static void replay(FuzzTarget target, byte[] bytes) {
        try {
            boolean taken = Fuzzing.check(target, target.seal().apply(bytes));
            System.out.println(target + (taken ? " takes" : " refuses") + " these bytes, as it should");
        } catch (Fuzzing.Finding finding) {
            finding.printStackTrace(System.out);
            System.exit(FOUND);
        }
    }
}
