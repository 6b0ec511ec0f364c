package io.penstock.commit.checkpoint;

import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.LogSurvey;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import io.penstock.report.CheckpointReport;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of the domains that this client uses: their commit logs are applied to pages in the background. Safe
 * for use by many threads.
 */
public final class LogCheckpoints {
    private static final Logger LOG = LoggerFactory.getLogger(LogCheckpoints.class);
    /** The number of looks at the age of the oldest segment in an interval. */
    private static final int LOOKS = 4;

    private final Domains domains;
    private final Duration interval;
    private final boolean enabled;
    private final BooleanSupplier known;
    private final Watch watch;
    private final Recurring loop;

    /** The domains whose last checkpoint was made by this client, as far as it knows. */
    private final Set<String> mine = ConcurrentHashMap.newKeySet();

    /**
     * @param enabled whether this client checkpoints by itself
     * @param known whether this client knows of a collection that belongs to a domain
     */
    public LogCheckpoints(
            Tasks tasks, Domains domains, Duration interval, boolean enabled, BooleanSupplier known, Watch watch) {
        this.known = known;
        this.watch = watch;
        this.domains = domains;
        this.interval = interval;
        this.enabled = enabled;
        this.loop = new Recurring(tasks, "log checkpoints", interval);
    }

    /** A wrapper around each checkpoint, such as one that measures it. */
    public interface Watch {
        /** Runs a checkpoint of a domain. */
        CheckpointReport run(String domain, Supplier<CheckpointReport> checkpoint);
    }

    /** Fences a tree in the log of a domain, by a transaction of this id; see {@link Domain#fence}. */
    public long fence(String domain, TransactionId id, TreeId tree) {
        return domains.of(domain).fence(id, tree);
    }

    public Domain domain(String name) {
        return domains.of(name);
    }

    /** A domain that this client uses, or that has a commit log; empty where there is none: none is made. */
    public Optional<Domain> find(String name) {
        return named(domains.used(), name).or(() -> named(domains.found(), name));
    }

    private static Optional<Domain> named(Collection<Domain> domains, String name) {
        return domains.stream().filter(domain -> domain.name().equals(name)).findFirst();
    }

    /** Begins to work in the background, the first time this is called. */
    public void start() {
        if (enabled) {
            loop.start(interval, this::checkpointDue);
        }
    }

    /** All clients of a domain go by the age of its segments, so one of them does it in each interval, not each. */
    private Duration checkpointDue() {
        List<Domain> due = domains.used().stream().filter(this::isDue).toList();
        var unused = each(due, this::checkpoint);
        return interval.dividedBy(LOOKS);
    }

    /**
     * Whether this client should checkpoint a domain now. The client that did it last has the newest pages in memory
     * and goes first; the others do it when that one has missed its turn.
     */
    private boolean isDue(Domain domain) {
        Optional<Duration> age = domain.oldestPending();
        boolean first = mine.contains(domain.name()) || !domain.isShared();
        return age.isPresent() && age.get().compareTo(first ? interval : interval.multipliedBy(2)) >= 0;
    }

    private CheckpointReport checkpoint(Domain domain) {
        CheckpointReport report = watch.run(domain.name(), domain::checkpoint);
        if (report.messages() > 0) {
            mine.add(domain.name());
        } else {
            mine.remove(domain.name());
        }
        return report;
    }

    private void checkpointPending() {
        List<Domain> pending = domains.used().stream()
                .filter(domain -> domain.pendingSegments() > 0)
                .toList();
        var unused = each(pending, domain -> watch.run(domain.name(), domain::checkpoint));
    }

    /**
     * Checkpoints all domains of the store, now, those that this client does not use too.
     *
     * @throws RuntimeException the failure of the first domain that could not be checkpointed, after all others were
     */
    public List<CheckpointReport> checkpointAll() {
        return each(domains.found(), domain -> watch.run(domain.name(), domain::checkpointAll));
    }

    /** The log of one domain may be damaged: that keeps no other one from being applied. */
    private static List<CheckpointReport> each(Collection<Domain> domains, Function<Domain, CheckpointReport> work) {
        List<CheckpointReport> done = new ArrayList<>();
        RuntimeException first = null;
        for (Domain domain : domains) {
            try {
                done.add(work.apply(domain));
            } catch (RuntimeException failure) {
                LOG.warn("a commit log is not applied domain={} why={}", domain.name(), failure.getMessage());
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return done;
    }

    /**
     * Checkpoints all domains if this client knows of a collection that belongs to one: the domains' other clients may
     * all be dead.
     */
    public void sweep() {
        if (known.getAsBoolean()) {
            var unused = checkpointAll();
        }
    }

    /** Returns the statistics of the unapplied part of each domain's log, except where the horizon is unreadable. */
    public List<LogStats> tails() {
        return domains.found().stream()
                .flatMap(domain -> stats(domain, LogSurvey::tail).stream())
                .toList();
    }

    /** The logs of all domains of the store; without those whose horizon cannot be read. */
    public List<LogStats> stats() {
        return all().stream()
                .flatMap(domain -> stats(domain, LogSurvey::stats).stream())
                .toList();
    }

    private static Optional<LogStats> stats(Domain domain, Function<LogSurvey, LogStats> look) {
        try {
            return Optional.of(look.apply(domain.survey()));
        } catch (CorruptDataException damaged) {
            LOG.warn("a commit log is not counted domain={} why={}", domain.name(), damaged.getMessage());
            return Optional.empty();
        }
    }

    /** The segments that pages lack of the domains that this client uses, as far as it knows. */
    public long knownSegments() {
        return domains.used().stream().mapToLong(Domain::pendingSegments).sum();
    }

    /** The memory that they take, and those before them that this client still needs. */
    public long knownBytes() {
        return domains.used().stream()
                .mapToLong(domain -> domain.tail().bytes())
                .sum();
    }

    /** The age of the oldest of them, by the servers' clock. */
    public Duration knownAge() {
        return domains.used().stream()
                .flatMap(domain -> domain.oldestPending().stream())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** All domains of the store, those of which only a log is left too, by name. */
    public List<Domain> all() {
        return domains.found().stream()
                .sorted(Comparator.comparing(Domain::name))
                .toList();
    }

    /** Ends the background work, and applies what is left, unless another client has the turn. */
    public void close(Duration atMost) {
        loop.stop(atMost);
        if (enabled) {
            checkpointPending();
        }
    }

    /** Returns the background work, for meters. */
    public Recurring loop() {
        return loop;
    }
}
