package io.penstock.cli;

import io.penstock.Inspection;
import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock inspect page|tree|queue|client|log}. */
@Command(
        name = "inspect",
        description =
                "Shows one part of a store: a page, a tree, a queue, a client or a commit log. Never shows payloads.",
        synopsisSubcommandLabel = "page|tree|queue|client|log")
final class InspectCommand implements Runnable {
    @Override
    public void run() {
        throw new UsageException("no part is given; it is page, tree, queue, client or log");
    }

    static CommandLine line(PrintStream out) {
        return new CommandLine(new InspectCommand())
                .addSubcommand(new PageCommand(out))
                .addSubcommand(new TreeCommand(out))
                .addSubcommand(new QueueCommand(out))
                .addSubcommand(new ClientCommand(out))
                .addSubcommand(new LogCommand(out));
    }

    /** A subcommand that opens the store and prints a part of it. */
    private abstract static class Part extends StoreCommand {
        Part(PrintStream out) {
            super(out, Use.READ);
        }

        abstract List<String> ask(Inspection inspection);

        @Override
        boolean run(Penstock opened) {
            List<String> lines = ask(opened.admin().inspect());
            print(lines, () -> lines.forEach(out::println));
            return true;
        }

        static List<String> orNone(List<String> lines) {
            return lines.isEmpty() ? List.of("none") : lines;
        }
    }

    /** The options that select a tree. */
    private static final class TreeName {
        @Option(names = "--collection", paramLabel = "C", required = true, description = "the collection")
        private String collection = "";

        @Option(
                names = "--index",
                paramLabel = "I",
                description = "a secondary index of the collection; default: its records")
        private String index = "";
    }

    @Command(name = "page", description = "One page of a tree.", sortOptions = false)
    static final class PageCommand extends Part {
        @Mixin
        private final TreeName tree = new TreeName();

        @Option(names = "--keys", description = "also shows keys, one line for each entry")
        private boolean keys;

        @Parameters(
                paramLabel = "PAGE",
                arity = "0..1",
                description = "page number, 16 hexadecimal digits; default: the root")
        private String page = "0000000000000001";

        PageCommand(PrintStream out) {
            super(out);
        }

        @Override
        List<String> ask(Inspection inspection) {
            return inspection.page(tree.collection, tree.index, page, keys);
        }
    }

    @Command(name = "tree", description = "A tree from the root down, a line for each page.", sortOptions = false)
    static final class TreeCommand extends Part {
        @Mixin
        private final TreeName tree = new TreeName();

        @Option(
                names = "--pages",
                paramLabel = "N",
                description = "maximal number of pages shown for each level; default: 100")
        private int pagesMax = 100;

        TreeCommand(PrintStream out) {
            super(out);
        }

        @Override
        List<String> ask(Inspection inspection) {
            return inspection.tree(tree.collection, tree.index, pagesMax);
        }
    }

    @Command(name = "queue", description = "One PU queue with its ledger, or a line for each.", sortOptions = false)
    static final class QueueCommand extends Part {
        @Parameters(
                paramLabel = "QUEUE",
                arity = "0..1",
                description = "name as in the list of all queues; default: all")
        private @Nullable String queue;

        QueueCommand(PrintStream out) {
            super(out);
        }

        @Override
        List<String> ask(Inspection inspection) {
            String one = queue;
            return one == null ? orNone(inspection.queues()) : inspection.queue(one);
        }
    }

    @Command(
            name = "log",
            description = "The commit log of one domain with its tail, or two lines for each.",
            sortOptions = false)
    static final class LogCommand extends Part {
        @Parameters(paramLabel = "DOMAIN", arity = "0..1", description = "the domain; default: all")
        private @Nullable String domain;

        @Option(
                names = "--segments",
                paramLabel = "N",
                description = "maximal number of segments shown after the horizon; default: 100")
        private int segmentsMax = 100;

        LogCommand(PrintStream out) {
            super(out);
        }

        @Override
        List<String> ask(Inspection inspection) {
            String one = domain;
            UsageException.requireRange("--segments", segmentsMax, 0, Integer.MAX_VALUE);
            return one == null ? orNone(inspection.logs()) : inspection.log(one, segmentsMax);
        }
    }

    @Command(name = "client", description = "One client, or a line for each.", sortOptions = false)
    static final class ClientCommand extends Part {
        @Parameters(
                paramLabel = "CLIENT",
                arity = "0..1",
                description = "client id, 16 hexadecimal digits; default: all")
        private @Nullable String client;

        ClientCommand(PrintStream out) {
            super(out);
        }

        @Override
        List<String> ask(Inspection inspection) {
            String one = client;
            return one == null ? orNone(inspection.clients()) : inspection.client(one);
        }
    }
}
