package io.penstock.testkit;

import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The course of a call to one object or queue: time passes, the effect happens at one instant, time passes, the answer
 * arrives. Faults may replace the effect or the answer. The client may crash before or after the effect.
 */
final class Call {
    /** The wait of a client for an answer that was lost. */
    private static final long TIMEOUT_NANOS = 3_000_000_000L;

    private final SimulatedCloud cloud;
    private final SimulatedClient client;

    Call(SimulatedCloud cloud, SimulatedClient client) {
        this.cloud = cloud;
        this.client = client;
    }

    /** Makes a call that changes nothing: a lost answer is the same as a failure. */
    <T> T read(String what, String on, Function<T, CloudCall> kind, Supplier<T> effect, ToLongFunction<T> bytes) {
        World world = cloud.world();
        failBefore(what, on, world);
        T answer = happen(what, on, effect);
        sleep(kind.apply(answer), world, bytes.applyAsLong(answer));
        if (client.isCutOff()) {
            throw unreachable(what, on);
        }
        if (isInterrupted()) {
            throw interruptedBefore(what, on);
        }
        return answer;
    }

    /**
     * Makes a call that takes something, possibly after a wait, and returns it. When the answer is lost, the effect
     * stays.
     */
    <T> T take(String what, String on, CloudCall kind, Supplier<T> effect, ToLongFunction<T> bytes) {
        World world = cloud.world();
        failBefore(what, on, world);
        if (cloud.faults.chance(world.lostAnswer())) {
            throw lose(what, on, effect);
        }
        T answer = happen(what, on, effect);
        sleep(kind, world, bytes.applyAsLong(answer));
        if (client.isCutOff()) {
            throw unanswered(what, on);
        }
        if (isInterrupted()) {
            throw interruptedAfter(what, on);
        }
        return answer;
    }

    /** Makes a call that changes something. */
    <T> T write(String what, String on, CloudCall kind, long bytes, Supplier<T> effect) {
        World world = cloud.world();
        failBefore(what, on, world);
        long nanos = draw(kind, world, bytes);
        long before = cloud.latencies.nextLong(nanos + 1);
        pass(before);
        if (cloud.faults.chance(world.lostAnswer())) {
            throw lose(what, on, effect);
        }
        if (client.isCutOff()) {
            throw unanswered(what, on);
        }
        T answer = happen(what, on, effect);
        pass(nanos - before);
        if (client.isCutOff()) {
            throw unanswered(what, on);
        }
        if (isInterrupted()) {
            throw interruptedAfter(what, on);
        }
        return answer;
    }

    private <T> T happen(String what, String on, Supplier<T> effect) {
        try {
            T answer = effect.get();
            cloud.watcher.see(CallWatcher.Step.DONE, client, what, on, answer);
            return answer;
        } catch (StoreException refused) {
            cloud.watcher.see(CallWatcher.Step.DONE, client, what, on, refused);
            throw refused;
        }
    }

    /** Loses the request in half of all cases, otherwise only its answer. */
    private OutcomeUnknownException lose(String what, String on, Supplier<?> effect) {
        if (cloud.faults.nextBoolean()) {
            attempt(what, on, effect);
        }
        return unanswered(what, on);
    }

    /** Applies the effect, or lets the server refuse it: the client learns of neither. */
    private void attempt(String what, String on, Supplier<?> effect) {
        try {
            var unused = happen(what, on, effect);
        } catch (StoreException refused) {
            // The answer is lost, whatever it was.
        }
    }

    private OutcomeUnknownException unanswered(String what, String on) {
        cloud.watcher.see(CallWatcher.Step.LOST, client, what, on, null);
        pass(TIMEOUT_NANOS);
        return new OutcomeUnknownException(
                "the answer of a simulated server was lost; find out", "call", what, "client", client.name());
    }

    private UnavailableException unreachable(String what, String on) {
        cloud.watcher.see(CallWatcher.Step.LOST, client, what, on, null);
        pass(TIMEOUT_NANOS);
        return new UnavailableException(
                ErrorCode.UNREACHABLE,
                "the simulated server cannot be reached; retry later",
                "call",
                what,
                "client",
                client.name());
    }

    private void failBefore(String what, String on, World world) {
        // Even a call without latency lets others go first.
        pass(0);
        cloud.watcher.see(CallWatcher.Step.BEGINS, client, what, on, null);
        if (client.isCutOff()) {
            throw unreachable(what, on);
        }
        if (isInterrupted()) {
            throw interruptedBefore(what, on);
        }
        if (cloud.faults.chance(world.unavailable())) {
            cloud.watcher.see(CallWatcher.Step.LOST, client, what, on, null);
            sleep(CloudCall.MANAGE, world, 0);
            throw new UnavailableException(
                    ErrorCode.THROTTLED,
                    "the simulated server is throttling; retry later",
                    "call",
                    what,
                    "client",
                    client.name());
        }
    }

    private boolean isInterrupted() {
        return client.simulation().current().mustNotWait();
    }

    private UnavailableException interruptedBefore(String what, String on) {
        cloud.watcher.see(CallWatcher.Step.LOST, client, what, on, null);
        return new UnavailableException(
                ErrorCode.INTERRUPTED,
                "the simulated thread was interrupted; retry the call",
                "call",
                what,
                "client",
                client.name());
    }

    private OutcomeUnknownException interruptedAfter(String what, String on) {
        cloud.watcher.see(CallWatcher.Step.LOST, client, what, on, null);
        return new OutcomeUnknownException(
                "the simulated thread was interrupted; find out", "call", what, "client", client.name());
    }

    private void sleep(CloudCall kind, World world, long bytes) {
        pass(draw(kind, world, bytes));
    }

    private long draw(CloudCall kind, World world, long bytes) {
        Latency latency = cloud.profile.latency(kind);
        // What takes no time draws nothing, so that latencies do not depend on it.
        long nanos = latency.equals(Latency.NONE)
                ? 0
                : latency.nanos(cloud.latencies.gaussian(), bytes, client.underWay + 1);
        return cloud.faults.chance(world.slow()) ? nanos * World.SLOW_FACTOR : nanos;
    }

    private void pass(long nanos) {
        client.underWay++;
        try {
            client.simulation().sleep(nanos);
        } finally {
            client.underWay--;
        }
    }
}
