package io.penstock.cli;

import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The operator's program, {@code scripts/penstock}. Its exit codes are those of {@link Shell}. */
@Command(name = "penstock", description = "Administers a Penstock store.", synopsisSubcommandLabel = "COMMAND")
public final class PenstockCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--completion",
            description = "prints a script that completes commands and options in bash and zsh; source it")
    private boolean completion;

    private final PrintStream out;

    private PenstockCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        if (!completion || spec == null) {
            throw new UsageException("no command is given");
        }
        out.print(AutoComplete.bash("penstock", spec.commandLine()));
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        Shell.runAndExit((out, err) -> run(out, err, arguments));
    }

    /** Runs a command line and returns its exit code. */
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine line = new CommandLine(new PenstockCommand(out));
        line.addSubcommand(new BacklogCommand(out));
        line.addSubcommand(new BackupCommand(out));
        line.addSubcommand(new CompactCommand(out));
        line.addSubcommand(new ConsoleCommand(out));
        line.addSubcommand(new CopyCommand(out));
        line.addSubcommand(new DoctorCommand(out));
        line.addSubcommand(new DropCommand(out));
        line.addSubcommand(new RenameCommand(out));
        line.addSubcommand(new RepageCommand(out));
        line.addSubcommand(new RotateKeysCommand(out));
        line.addSubcommand(new ExportCommand(out, err));
        line.addSubcommand(new ImportCommand(out, err, System.in));
        line.addSubcommand(new GcCommand(out));
        line.addSubcommand(InspectCommand.line(out));
        line.addSubcommand(new MoveCommand(out));
        line.addSubcommand(new PolicyCommand(out));
        line.addSubcommand(new ProvisionCommand(out));
        line.addSubcommand(QuarantineCommand.line(out));
        line.addSubcommand(new RestoreCommand(out));
        line.addSubcommand(new ReviewCommand(out));
        line.addSubcommand(new SqlCommand(out));
        line.addSubcommand(new StatsCommand(out));
        line.addSubcommand(new SweepCommand(out));
        line.addSubcommand(new VerifyCommand(out));
        return new Shell(out, err).run(line, () -> {}, arguments);
    }
}
