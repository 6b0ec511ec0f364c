package io.penstock.testkit;

import org.jspecify.annotations.Nullable;

/**
 * An observer of every call of a simulated cloud, in the order in which things happen. It runs as the calling actor and
 * may strike at that very point: {@link SimulatedClient#crash}, {@link SimulatedClient#freeze}, {@link
 * SimulatedClient#cutOff}. It must not call the cloud itself.
 */
@FunctionalInterface
public interface CallWatcher {
    /** The progress of a call. */
    enum Step {
        /** The client is about to send its request; nothing has happened yet. */
        BEGINS,
        /** The servers have done it, or refused it; the answer is on its way. */
        DONE,
        /** The client will not get an answer: its request or its answer is lost, or the servers are throttling. */
        LOST
    }

    /**
     * @param call the call, in a word or two
     * @param on the key or the queue
     * @param outcome at {@link Step#DONE} the answer, or the {@link io.penstock.core.StoreException} of a refusal;
     *     otherwise null
     */
    void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome);
}
