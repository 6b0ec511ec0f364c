package io.penstock.commit.checkpoint;

import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.Progress;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The checkpoints of the domains that this client uses: their commit logs are applied to pages in the background. Safe
 * for use by many threads.
 */
public final class LogCheckpoints {
    /** Looks at the age of the oldest segment in an interval. */
    private static final int LOOKS = 4;

    private final Domains domains;
    private final Duration interval;
    private final boolean enabled;
    private final BooleanSupplier known;
    private final Recurring loop;

    /** The domains whose last checkpoint was made by this client, as far as it knows. */
    private final Set<String> mine = ConcurrentHashMap.newKeySet();

    /**
     * @param enabled whether this client checkpoints by itself
     * @param known whether this client knows of a collection that belongs to a domain
     */
    public LogCheckpoints(Tasks tasks, Domains domains, Duration interval, boolean enabled, BooleanSupplier known) {
        this.known = known;
        this.domains = domains;
        this.interval = interval;
        this.enabled = enabled;
        this.loop = new Recurring(tasks, "log checkpoints", interval);
    }

    public Domain domain(String name) {
        return domains.of(name);
    }

    /** Begins to work in the background, the first time this is called. */
    public void start() {
        if (enabled) {
            loop.start(interval, this::checkpointDue);
        }
    }

    /** All clients of a domain go by the age of its segments, so one of them does it in each interval, not each. */
    private Duration checkpointDue() {
        domains.used().stream().filter(this::isDue).forEach(this::checkpoint);
        return interval.dividedBy(LOOKS);
    }

    /** Who has done it last has the newest pages in memory; the others do it when that one has missed its turn. */
    private boolean isDue(Domain domain) {
        Optional<Duration> age = domain.oldestPending();
        boolean first = mine.contains(domain.name()) || !domain.isShared();
        return age.isPresent() && age.get().compareTo(first ? interval : interval.multipliedBy(2)) >= 0;
    }

    private void checkpoint(Domain domain) {
        if (domain.checkpoint().segments() > 0) {
            mine.add(domain.name());
        } else {
            mine.remove(domain.name());
        }
    }

    private void checkpointPending() {
        domains.used().stream().filter(domain -> domain.pendingSegments() > 0).forEach(Domain::checkpoint);
    }

    /** Checkpoints all domains of the store, now, those that this client does not use too. */
    public List<Progress> checkpointAll() {
        return domains.all().stream()
                .map(domain -> {
                    domain.refresh();
                    return domain.checkpoint();
                })
                .toList();
    }

    /** The same, where this client knows of a collection that belongs to a domain: others of it may all be dead. */
    public void sweep() {
        if (known.getAsBoolean()) {
            var unused = checkpointAll();
        }
    }

    /** The segments in the logs of all domains of the store that are not applied. */
    public long pendingSegments() {
        return domains.all().stream()
                .mapToLong(domain -> {
                    domain.refresh();
                    return domain.pendingSegments();
                })
                .sum();
    }

    /** Ends the background work, and applies what is left, unless somebody else has the turn. */
    public void close(Duration atMost) {
        loop.stop(atMost);
        if (enabled) {
            checkpointPending();
        }
    }

    /** For meters. */
    public Recurring loop() {
        return loop;
    }
}
