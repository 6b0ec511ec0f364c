package io.penstock.commit.upkeep;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.ClientRegistry.Known;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.core.ClientId;
import io.penstock.core.ClosedException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of the dead clients of a store, a page of the registry at a time. First the commits of all are
 * forwarded, which is quick, and what others wait for. Then one queue after the other is made sure to be empty, which
 * takes seconds each; what a pass has no time for is left to the next. Safe for use by many threads.
 */
final class Recoveries {
    private static final Logger LOG = LoggerFactory.getLogger(Recoveries.class);

    /** The number of dead clients that are recovered at a time. */
    private static final int WIDTH = 32;

    /** The time for which a dead client that had left nothing is not asked about again. */
    private static final Duration LOOK_EVERY = Duration.ofDays(1);

    private final Tasks tasks;
    private final ClientContext membership;
    private final AtomicRecovery recovery;

    /** The time at which {@link #recover} looked at settled clients last, by {@link Tasks#nanoTime}; zero before. */
    private final AtomicLong lookedNanos = new AtomicLong();

    /** One recovery at a time: a second would find messages hidden and report nothing. */
    private final Permits recovering;

    Recoveries(Tasks tasks, ClientContext membership, AtomicRecovery recovery) {
        this.tasks = tasks;
        this.membership = membership;
        this.recovery = recovery;
        this.recovering = new Permits(tasks, 1);
    }

    /** Recovers all dead clients; once a day it also looks at those again that had left nothing before. */
    RecoveryReport recover() {
        RecoveryReport fresh = recoverRegistered();
        long now = tasks.nanoTime();
        long last = lookedNanos.get();
        boolean due = last == 0 || now - last >= LOOK_EVERY.toNanos();
        if (!due || !lookedNanos.compareAndSet(last, now)) {
            return fresh;
        }
        RecoveryReport stray = retireStray() ? recoverRegistered() : RecoveryReport.NONE;
        return fresh.plus(stray).plus(all(membership.registry()::settledPage, this::lookAt));
    }

    private RecoveryReport recoverRegistered() {
        return all(membership.registry()::page, dead -> attempt(() -> recoverNow(dead)));
    }

    /** Runs {@link AtomicRecovery#retireStray}; a failure is logged. */
    boolean retireStray() {
        return attempt(recovery::retireStray, false);
    }

    /** Recovers all, when a store is opened that no other client can recover: throws when anything is left. */
    RecoveryReport recoverOrFail() {
        var unused = recovery.retireStray();
        return all(membership.registry()::page, this::recoverNow);
    }

    private RecoveryReport all(Function<String, ClientRegistry.Page> pages, Function<Known, RecoveryReport> each) {
        return recovering.with(() -> {
            RecoveryReport report = RecoveryReport.NONE;
            Optional<String> after = Optional.of("");
            while (after.isPresent()) {
                ClientRegistry.Page page = pages.apply(after.get());
                List<Known> dead = dead(membership.others(page.clients()));
                report = Parallel.map(tasks, WIDTH, dead, each).stream().reduce(report, RecoveryReport::plus);
                after = page.next();
            }
            return report;
        });
    }

    private List<Known> dead(List<Known> others) {
        List<Known> dead = membership.dead(others);
        if (!dead.isEmpty()) {
            membership.serverClock().requireKnownInStep();
        }
        return dead;
    }

    private RecoveryReport recoverNow(Known dead) {
        return report(recovery.recover(dead));
    }

    /**
     * Recovers the client that had this one's name before: throws when it is unclear whether that may still write.
     *
     * @return false while messages of it are hidden, for half a minute at most
     */
    boolean recoverPredecessor(ClientId client) {
        return !recovery.recoverPredecessor(client).isHidden();
    }

    private RecoveryReport lookAt(Known settled) {
        return attempt(() -> report(recovery.lookAt(settled)));
    }

    private static RecoveryReport report(AtomicRecovery.Result result) {
        if (result.forwarded() > 0) {
            LOG.info("what a dead client had committed is forwarded transactions={}", result.forwarded());
        }
        return new RecoveryReport(
                1, result.forwarded(), result.undecided(), result.undecidedMessages(), result.tooLarge(), 0);
    }

    /** The recovery of one dead client, of which a failure is logged and counted, and does not stop the others. */
    private static RecoveryReport attempt(Supplier<RecoveryReport> recovery) {
        return attempt(recovery, new RecoveryReport(0, 0, 0, 0, 0, 1));
    }

    private static <T> T attempt(Supplier<T> recovery, T failed) {
        try {
            return recovery.get();
        } catch (ClosedException closing) {
            throw closing;
        } catch (StoreException e) {
            LOG.warn("a dead client could not be recovered; it is tried again why={}", e.getMessage());
            return failed;
        }
    }

    /**
     * The first half of a pass over the registry: all that dead clients had committed is forwarded.
     *
     * @param silence the longest time that any of the living clients has been silent
     */
    record Pass(Duration silence, List<AtomicRecovery.Adopted> adopted) {}

    /** @param working runs once for each page on which there is a lot to do */
    Pass adoptAll(Runnable working) {
        return recovering.with(() -> {
            Duration silence = Duration.ZERO;
            List<AtomicRecovery.Adopted> adopted = new ArrayList<>();
            Optional<String> after = Optional.of("");
            while (after.isPresent()) {
                ClientRegistry.Page page = membership.registry().page(after.get());
                List<Known> others = membership.others(page.clients());
                Duration longest = membership.longestSilence(others);
                silence = longest.compareTo(silence) > 0 ? longest : silence;
                List<Known> dead = dead(others);
                if (dead.size() > WIDTH) {
                    working.run();
                }
                Parallel.map(tasks, WIDTH, dead, this::adopt).forEach(one -> one.ifPresent(adopted::add));
                after = page.next();
            }
            return new Pass(silence, adopted);
        });
    }

    private Optional<AtomicRecovery.Adopted> adopt(Known dead) {
        return attempt(() -> recovery.adopt(dead), Optional.empty());
    }

    /**
     * The second half: makes sure that nothing is left, and settles those of which nothing was left for a while.
     *
     * @param within no client is begun with after this time
     * @return whether all were seen to
     */
    boolean finish(Pass pass, Duration within) {
        long deadline = tasks.nanoTime() + within.toNanos();
        AtomicBoolean all = new AtomicBoolean(true);
        recovering.with(() -> Parallel.map(tasks, WIDTH, pass.adopted, one -> {
            if (tasks.nanoTime() - deadline < 0) {
                return attempt(() -> report(recovery.finish(one)));
            }
            all.set(false);
            return RecoveryReport.NONE;
        }));
        return all.get();
    }

    /**
     * Looks again at a page of dead clients that had left nothing.
     *
     * @param last the last client that is looked at
     * @return where the next page begins; empty: {@code last} was reached
     */
    Optional<String> lookAgain(String after, String last) {
        return recovering.with(() -> {
            ClientRegistry.Page page = membership.registry().settledPage(after);
            List<Known> due = page.clients().stream()
                    .filter(settled -> settled.client().hex().compareTo(last) <= 0)
                    .toList();
            dead(due);
            Parallel.map(tasks, WIDTH, due, this::lookAt);
            return page.next().filter(next -> next.compareTo(last) < 0);
        });
    }
}
