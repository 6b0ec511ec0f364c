package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.report.CheckpointReport;
import io.penstock.report.RecoveryReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code penstock sweep}: one sweep, or a daemon. The only class of the command that uses threads and signals: it is a
 * program's main loop, and never runs in a simulation.
 */
@Command(
        name = "sweep",
        description = "Completes the work of dead clients and applies all PU queues; with --every, periodically.",
        sortOptions = false)
final class SweepCommand extends StoreCommand {
    @Option(names = "--every", paramLabel = "TIME", description = "repeats until it is stopped, such as every 60s")
    private @Nullable Duration every;

    @Option(
            names = "--held-back",
            description = "also applies messages that wait for an earlier one of their client, out of order:"
                    + " for the case that it is lost, as with a queue that was deleted")
    private boolean heldBack;

    SweepCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    public Integer call() {
        Duration pause = every;
        if (pause != null && pause.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "--every must be at least 1 second", "given", pause);
        }
        return super.call();
    }

    @Override
    boolean run(Penstock opened) {
        Duration pause = every;
        if (pause == null) {
            sweep(opened);
        } else {
            sweepUntilStopped(opened, pause);
        }
        return true;
    }

    private void sweep(Penstock opened) {
        RecoveryReport recovery = opened.admin().recover();
        CheckpointReport checkpoint =
                heldBack ? opened.admin().applyHeldBack() : opened.admin().checkpoint();
        print(List.of(recovery, checkpoint), () -> print(recovery, checkpoint));
    }

    private void print(RecoveryReport recovery, CheckpointReport checkpoint) {
        out.println(recovery + " " + checkpoint);
        checkpoint
                .heldBackUntil()
                .ifPresent(until -> out.println("note held back until " + until
                        + " at the latest, since earlier messages of their clients are missing: "
                        + checkpoint.heldBack()
                        + " messages; if those are lost, sweep --held-back applies them at once"));
    }

    /** A signal ends the wait; the process stays until the store is closed. */
    private void sweepUntilStopped(Penstock opened, Duration every) {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            awaitQuietly(stopped, Duration.ofMinutes(2));
        }));
        try {
            do {
                try {
                    sweep(opened);
                } catch (StoreException failure) {
                    String why = "a sweep failed and is retried: " + failure.getMessage();
                    print(why, () -> out.println(why));
                }
            } while (!awaitQuietly(stop, every));
            opened.close();
        } finally {
            stopped.countDown();
        }
    }

    private static boolean awaitQuietly(CountDownLatch latch, Duration most) {
        try {
            return latch.await(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }
}
