package io.penstock.commit.simulation;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The loss of messages beside living clients: a purge, a dead-letter queue, messages that only a newer program
 * understands. What was in a lost message may be gone; nothing else may.
 */
final class Losses implements CallWatcher {
    private static final String PU_QUEUES = "penstock-pu-";
    private static final String LOCK_QUEUES = "penstock-lk-";

    /** A dead-letter queue takes what was received so often. */
    private static final int RECEIVES_MAX = 3;

    private static final int VERSION_AT = 2;
    private static final byte NEWER_VERSION = 99;
    private static final TreeId NOWHERE = new TreeId(0x10ff);
    private static final int SENDS_PER_STRIKE = 4;

    /** What messages are lost to; one of them in a run. */
    private enum Kind {
        PURGE,
        /** What was received several times is taken away. */
        DEAD_LETTERS,
        /** Nobody here can read it. */
        NEWER_FORMAT,
        /** One bit of it flips. */
        BIT,
        /** It can be read, but never applied. */
        NO_COLLECTION,
        LOCKS
    }

    private final SimulatedCloud cloud;
    private final Kind kind;
    private final double share;
    private final SplittableRandom random;
    private final CallLog story;
    private final Set<Stamp> lost = new HashSet<>();
    private boolean over;

    Losses(SimulatedCloud cloud, Scenario scenario, CallLog story) {
        this.cloud = cloud;
        this.story = story;
        this.share = scenario.perils().losses();
        this.random = new SplittableRandom(scenario.seed() * 15_485_863 + 7);
        this.kind = Kind.values()[random.nextInt(Kind.values().length)];
    }

    /** Takes or spoils some messages, often when a message was sent just now. */
    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        boolean isSent = step == Step.DONE && call.equals("send") && on.startsWith(PU_QUEUES);
        if (share > 0 && isSent && !over && random.nextInt(SENDS_PER_STRIKE) == 0) {
            story.say(client, "*** messages are lost: " + kind);
            strike();
        }
    }

    /** Nothing is lost any more. */
    void end() {
        over = true;
    }

    /** Whether messages may wait for what is lost: a message that can be read, and no more, leaves no hole. */
    boolean leaveHoles() {
        return switch (kind) {
            case PURGE, DEAD_LETTERS, NEWER_FORMAT, BIT -> true;
            case NO_COLLECTION, LOCKS -> false;
        };
    }

    private void strike() {
        cloud.tamper((queue, body, receives) -> switch (kind) {
            case PURGE -> isStruck(queue) ? lose(body) : Optional.of(body);
            case DEAD_LETTERS ->
                queue.startsWith(PU_QUEUES) && receives >= RECEIVES_MAX ? lose(body) : Optional.of(body);
            case NEWER_FORMAT -> isStruck(queue) ? renew(body) : Optional.of(body);
            case BIT -> isStruck(queue) ? flip(body) : Optional.of(body);
            case NO_COLLECTION -> isStruck(queue) ? mislead(body) : Optional.of(body);
            case LOCKS -> queue.startsWith(LOCK_QUEUES) ? Optional.empty() : Optional.of(body);
        });
    }

    private boolean isStruck(String queue) {
        return queue.startsWith(PU_QUEUES) && random.nextDouble() < share;
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

    private Optional<Bytes> flip(Bytes body) {
        note(body);
        byte[] bytes = body.toArray();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        return Optional.of(Bytes.wrap(bytes));
    }

    private Optional<Bytes> mislead(Bytes body) {
        if (!isSound(body)) {
            return Optional.of(body);
        }
        note(body);
        PuMessage message = PuMessage.decode(body, "a message that is misled");
        List<LogRecord> records = message.records().stream()
                .map(record -> new LogRecord(NOWHERE, record.change(), record.epoch()))
                .toList();
        return Optional.of(new PuMessage(message.client(), message.first(), records).encode());
    }

    /** Whether it was not struck before. */
    private static boolean isSound(Bytes body) {
        try {
            var unused = PuMessage.decode(body, "a message that may be lost");
            return true;
        } catch (StoreException struck) {
            return false;
        }
    }

    private void note(Bytes body) {
        if (isSound(body)) {
            for (LogRecord record :
                    PuMessage.decode(body, "a message that is lost").records()) {
                lost.add(record.change().stamp());
            }
        }
    }

    /** Takes back what the history claims of transactions that were in lost messages: their outcome is unknown. */
    void excuse(History history) {
        Set<String> values = new HashSet<>();
        for (History.Transaction transaction : history.transactions()) {
            if (transaction.outcome != History.Outcome.FAILED && lost.contains(transaction.stamp)) {
                transaction.outcome = History.Outcome.UNKNOWN;
                transaction.stamp = Stamp.ZERO;
                transaction.lost = true;
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
