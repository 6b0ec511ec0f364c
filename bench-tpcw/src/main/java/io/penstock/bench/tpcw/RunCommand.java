package io.penstock.bench.tpcw;

import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.run.LocalVenue;
import io.penstock.bench.tpcw.run.Run;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.RunReport;
import io.penstock.bench.tpcw.run.RunResult;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.bench.tpcw.run.Tuning;
import io.penstock.bench.tpcw.run.Venue;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tpcw run}: one run of TPC-W's emulated browsers. */
@Command(
        name = "run",
        description = "Runs the emulated browsers of TPC-W on the bookstore; reports rates, response times, anomalies.",
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
    private static final String VISIT = "run";

    private enum Cloud {
        SIMULATED,
        LOCAL,
        AWS
    }

    @Mixin
    private RunChoices choices = new RunChoices();

    @Option(
            names = "--cloud",
            description = "simulated: virtual time; local: a directory; aws: S3 and SQS; default: simulated")
    private Cloud cloud = Cloud.SIMULATED;

    @Option(names = "--profile", paramLabel = "P", description = "of the simulated cloud; default: aws-2026")
    private @Nullable String profile;

    @Mixin
    private AwsChoices aws = new AwsChoices();

    @Mixin
    private JsonOption json = new JsonOption();

    private final PrintStream out;
    private final PrintStream err;
    private final Progress progress;

    RunCommand(PrintStream out, PrintStream err, Progress progress) {
        this.out = out;
        this.err = err;
        this.progress = progress;
    }

    @Override
    public Integer call() {
        checkCombination();
        JsonTarget target = json.target();
        return switch (cloud) {
            case SIMULATED -> {
                Profile chosen = profile == null ? Profile.AWS_2026 : Profile.named(profile);
                RunPlan plan = choices.plan(chosen.name(), chosen.prices(), Tuning.of(chosen));
                yield run(plan, new SimulatedVenue(chosen, plan.seed()), target);
            }
            case LOCAL -> {
                RunPlan plan = choices.plan("local", PriceList.FREE, Tuning.TODAY);
                try (TemporaryDirectory directory = new TemporaryDirectory()) {
                    yield run(plan, new LocalVenue(directory.path(), aws.processes()), target);
                }
            }
            case AWS -> {
                RunPlan plan = choices.plan("aws", Profile.AWS_2026.prices(), Tuning.TODAY);
                try (AwsRun run = new AwsRun(aws, err)) {
                    yield run(plan, run.venue(), target);
                }
            }
        };
    }

    private int run(RunPlan plan, Venue venue, JsonTarget target) {
        RunResult result = Run.browse(plan, venue, VISIT, progress);
        if (!target.isAlone()) {
            out.print(RunReport.text(result));
        }
        target.write(RunReport.json(result), out);
        return result.clean() ? Shell.DONE : Shell.FAILED;
    }

    private void checkCombination() {
        String ofAws = cloud == Cloud.LOCAL ? aws.givenOfServers() : aws.given();
        if (cloud != Cloud.AWS && ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        if (cloud != Cloud.SIMULATED && profile != null) {
            throw new UsageException("--profile is for the simulated cloud; leave it out, or use --cloud simulated");
        }
        if (cloud != Cloud.SIMULATED && choices.crashes()) {
            throw new UsageException(
                    "--crash-after is for the simulated cloud; leave it out, or use --cloud simulated");
        }
        choices.requireServersFor(aws.processes());
    }
}
