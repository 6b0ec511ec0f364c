package io.penstock.commit.simulation;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.sim.SimulatedCloud;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The loss of messages beside living clients: a purge, a dead-letter queue, messages that only a newer program
 * understands. What was in a lost message may be gone; nothing else may.
 */
final class Losses {
    private static final String PU_QUEUES = "penstock-pu-";
    private static final String LOCK_QUEUES = "penstock-lk-";

    /** A dead-letter queue takes what was received so often. */
    private static final int RECEIVES_MAX = 3;

    private static final int VERSION_AT = 2;
    private static final byte NEWER_VERSION = 99;

    private final SimulatedCloud cloud;
    private final double share;
    private final SplittableRandom random;
    private final Set<Stamp> lost = new HashSet<>();

    Losses(SimulatedCloud cloud, Scenario scenario) {
        this.cloud = cloud;
        this.share = scenario.perils().losses();
        this.random = new SplittableRandom(scenario.seed() * 15_485_863 + 7);
    }

    /** Takes or spoils some messages; returns what happened, in words. */
    String strike() {
        return switch (random.nextInt(4)) {
            case 0 -> {
                cloud.tamper((queue, body, receives) -> isStruck(queue, PU_QUEUES) ? lose(body) : Optional.of(body));
                yield "a purge";
            }
            case 1 -> {
                cloud.tamper((queue, body, receives) ->
                        queue.startsWith(PU_QUEUES) && receives >= RECEIVES_MAX ? lose(body) : Optional.of(body));
                yield "a dead-letter queue";
            }
            case 2 -> {
                cloud.tamper((queue, body, receives) -> isStruck(queue, PU_QUEUES) ? renew(body) : Optional.of(body));
                yield "messages of a newer program";
            }
            default -> {
                cloud.tamper((queue, body, receives) ->
                        queue.startsWith(LOCK_QUEUES) ? Optional.empty() : Optional.of(body));
                yield "a purge of the locks";
            }
        };
    }

    private boolean isStruck(String queue, String kind) {
        return queue.startsWith(kind) && random.nextDouble() < share;
    }

    private Optional<Bytes> lose(Bytes body) {
        note(body);
        return Optional.empty();
    }

    private Optional<Bytes> renew(Bytes body) {
        note(body);
        byte[] bytes = body.toArray();
        bytes[VERSION_AT] = NEWER_VERSION;
        return Optional.of(Bytes.wrap(bytes));
    }

    private void note(Bytes body) {
        byte[] bytes = body.toArray();
        if (bytes[VERSION_AT] != NEWER_VERSION) {
            for (LogRecord record : PuMessage.decode(body, "a message that is lost").records()) {
                lost.add(record.change().stamp());
            }
        }
    }

    long nextPauseMillis() {
        return 300 + random.nextInt(8_000);
    }

    /** Takes back what the history claims of transactions that were in lost messages: their outcome is unknown. */
    void excuse(History history) {
        Set<String> values = new HashSet<>();
        for (History.Transaction transaction : history.transactions()) {
            if (transaction.isAcknowledged() && lost.contains(transaction.stamp)) {
                transaction.outcome = History.Outcome.UNKNOWN;
                transaction.stamp = Stamp.ZERO;
                transaction.writes.values().forEach(value -> add(values, value));
            }
        }
        for (History.Transaction transaction : history.transactions()) {
            transaction.reads.removeIf(read -> values.contains(read.value()));
        }
    }

    private static void add(Set<String> values, @Nullable String value) {
        if (value != null) {
            values.add(value);
        }
    }
}
