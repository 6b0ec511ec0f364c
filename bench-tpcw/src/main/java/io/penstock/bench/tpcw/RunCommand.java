package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.CloudOptions.Cloud;
import io.penstock.bench.tpcw.run.LocalVenue;
import io.penstock.bench.tpcw.run.Mix;
import io.penstock.bench.tpcw.run.Profiles;
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
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tpcw run}: one run of TPC-W's emulated browsers. */
@Command(
        name = "run",
        description = "Runs the emulated browsers of TPC-W on the bookstore; reports rates, response times, anomalies.",
        sortOptions = false)
final class RunCommand extends Program {
    private static final String VISIT = "run";

    private static final int BROWSERS_MAX = 10_000;
    private static final int SERVERS_MAX = 256;

    /** The maximum scale by default, in the standard's populations of 2,880 customers: beyond, memory is the limit. */
    private static final int SCALE_DEFAULT_MAX = 10;

    private static final BigDecimal MINUTES_MAX = BigDecimal.valueOf(24 * 60);
    private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(86_400);

    private static final BigDecimal ZIPF_MAX = BigDecimal.valueOf(3);
    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

    @Option(names = "--mix", paramLabel = "M", description = "${COMPLETION-CANDIDATES}; default: shopping")
    private Mix mix = Mix.SHOPPING;

    @Option(names = "--browsers", paramLabel = "N", description = "emulated browsers; default: 50")
    private int browsers = 50;

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "web servers, each with its own handle and pool; default: 4, but no more than browsers")
    private @Nullable Integer servers;

    @Option(names = "--minutes", paramLabel = "M", description = "measurement interval; default: 10")
    private BigDecimal minutes = BigDecimal.TEN;

    @Option(names = "--ramp-up", paramLabel = "S", description = "seconds before the measurement; default: 60")
    private BigDecimal rampUp = BigDecimal.valueOf(60);

    @Option(names = "--level", paramLabel = "L", description = "${COMPLETION-CANDIDATES}; default: ATOMIC")
    private ConsistencyLevel level = ConsistencyLevel.ATOMIC;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM; default: 10000")
    private int items = 10_000;

    @Option(
            names = "--scale",
            paramLabel = "N",
            description = "browsers to populate for: 2880 customers each; default: as --browsers, but at most 10")
    private @Nullable Integer scale;

    @Option(
            names = "--zipf",
            paramLabel = "X",
            description = "items are chosen by Zipf's law with this exponent; default: 0, the standard's NURand")
    private BigDecimal zipf = BigDecimal.ZERO;

    @Option(names = "--ttl", paramLabel = "S", description = "seconds that a pooled page is good for; default: 10")
    private @Nullable BigDecimal ttl;

    @Option(names = "--page-bytes", paramLabel = "N", description = "size of pages; default: 65536")
    private @Nullable Integer pageBytes;

    @Option(names = "--checkpoint-interval", paramLabel = "S", description = "seconds between checkpoints; default: 10")
    private @Nullable BigDecimal checkpointInterval;

    @Option(
            names = "--crash-after",
            paramLabel = "S",
            description = "simulated: seconds into the measurement at which the first web server dies; its browsers"
                    + " go on at the others")
    private @Nullable BigDecimal crashAfter;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "the same seed gives the same figures (simulated); default: 1")
    private long seed = 1;

    @Option(
            names = "--cloud",
            description = "simulated: virtual time; local: a directory; aws: S3 and SQS; default: simulated")
    private Cloud cloud = Cloud.SIMULATED;

    @Option(
            names = "--profile",
            paramLabel = "P",
            converter = Profiles.class,
            description = "of the simulated cloud: a name, or a file of scripts/bench calibrate; default: aws-2026")
    private @Nullable Profile profile;

    @Mixin
    private AwsChoices aws = new AwsChoices();

    @Mixin
    private JsonTarget json = new JsonTarget();

    @Override
    public Integer call() {
        checkCombination();
        json.check();
        return switch (cloud) {
            case SIMULATED -> {
                Profile chosen = profile == null ? Profile.AWS_2026 : profile;
                RunPlan plan = plan(chosen.name(), chosen.prices(), Tuning.of(chosen));
                yield run(plan, new SimulatedVenue(chosen, plan.seed()));
            }
            case LOCAL -> {
                RunPlan plan = plan("local", PriceList.FREE, Tuning.TODAY);
                try (TemporaryDirectory directory = new TemporaryDirectory()) {
                    yield run(plan, new LocalVenue(directory.path(), aws.processes()));
                }
            }
            case AWS -> {
                RunPlan plan = plan("aws", Profile.AWS_2026.prices(), Tuning.TODAY);
                try (AwsChoices.AwsRun run = new AwsChoices.AwsRun(aws, err)) {
                    yield run(plan, run.venue());
                }
            }
        };
    }

    private int run(RunPlan plan, Venue venue) {
        RunResult result = Run.browse(plan, venue, VISIT, progress);
        if (!json.isAlone()) {
            out.print(RunReport.text(result));
        }
        json.write(RunReport.json(result), out);
        return result.clean() ? Shell.DONE : Shell.FAILED;
    }

    private void checkCombination() {
        String ofAws = cloud == Cloud.LOCAL ? aws.givenOfServers() : aws.given();
        if (cloud != Cloud.AWS && ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        if (cloud != Cloud.SIMULATED && (profile != null || crashAfter != null)) {
            throw new UsageException((profile != null ? "--profile" : "--crash-after")
                    + " is for the simulated cloud; leave it out, or use --cloud simulated");
        }
        int processes = aws.processes();
        if (processes > 1 && processes > servers()) {
            throw new UsageException("--processes " + processes + " needs as many --servers; there are " + servers());
        }
    }

    private int servers() {
        return servers == null ? Math.min(4, browsers) : servers;
    }

    private RunPlan plan(String name, PriceList prices, Tuning standard) {
        UsageException.requireRange("--browsers", browsers, 1, BROWSERS_MAX);
        int chosenServers = servers();
        UsageException.requireRange("--servers", chosenServers, 1, SERVERS_MAX);
        RunPlan.Browsing load = new RunPlan.Browsing(
                mix,
                browsers,
                chosenServers,
                duration("--ramp-up", rampUp, BigDecimal.ZERO, SECONDS_MAX),
                duration("--minutes", minutes, new BigDecimal("0.01"), MINUTES_MAX)
                        .multipliedBy(60),
                new Scale(scale == null ? Math.min(SCALE_DEFAULT_MAX, browsers) : scale, items),
                within("--zipf", zipf, BigDecimal.ZERO, ZIPF_MAX).doubleValue(),
                crash(chosenServers));
        Tuning tuning = new Tuning(
                pageBytes == null ? standard.pageBytes() : pageBytes,
                standard.poolBytes(),
                ttl == null ? standard.ttl() : duration("--ttl", ttl, new BigDecimal("0.01"), SECONDS_MAX),
                checkpointInterval == null
                        ? standard.checkpointInterval()
                        : duration("--checkpoint-interval", checkpointInterval, new BigDecimal("0.01"), SECONDS_MAX));
        return new RunPlan(name, prices, Layout.partitioned(1), level, load, tuning, seed);
    }

    private @Nullable Duration crash(int chosenServers) {
        if (crashAfter == null) {
            return null;
        }
        if (chosenServers == 1) {
            throw new UsageException("--crash-after needs a server that goes on; give --servers 2 or more");
        }
        return duration("--crash-after", crashAfter, BigDecimal.ZERO, minutes.multiply(BigDecimal.valueOf(60)));
    }

    /** Returns the duration of a number of seconds; that of minutes is to be multiplied. */
    private static Duration duration(String option, BigDecimal value, BigDecimal min, BigDecimal max) {
        return Duration.ofNanos(
                within(option, value, min, max).multiply(NANOS_PER_SECOND).longValue());
    }

    private static BigDecimal within(String option, BigDecimal value, BigDecimal min, BigDecimal max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new UsageException(option + " is out of range; give " + min + " to " + max + ", not " + value);
        }
        return value;
    }
}
