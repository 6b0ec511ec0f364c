package io.penstock.core.queue;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One batch over several attempts: the messages still to be sent, and the results of the others. Does no I/O. For one
 * thread.
 */
final class Resend {
    private final List<Bytes> bodies;
    private final List<SendResult> results;

    /** The messages of attempts without an answer. */
    private final Set<Integer> doubtful = new HashSet<>();

    private List<Integer> unsent = new ArrayList<>();
    private boolean wasAnswered;
    private @Nullable StoreException lastFailure;
    private @Nullable OutcomeUnknownException unknown;

    Resend(List<Bytes> bodies) {
        this.bodies = bodies;
        // Every entry is overwritten by the first answer; without one, results() throws.
        this.results =
                new ArrayList<>(Collections.nCopies(bodies.size(), new SendResult.NotSent(false, "Unavailable")));
        for (int i = 0; i < bodies.size(); i++) {
            unsent.add(i);
        }
    }

    /** The messages for the next attempt: at first the batch as it was given, even if it is empty. */
    List<Bytes> unsent() {
        return unsent.stream().map(bodies::get).toList();
    }

    /** Notes the answer of an attempt. */
    void answered(List<SendResult> answers) {
        wasAnswered = true;
        lastFailure = null;
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < unsent.size(); i++) {
            SendResult answer = answers.get(i);
            results.set(unsent.get(i), answer);
            if (answer instanceof SendResult.NotSent notSent && !notSent.senderFault()) {
                left.add(unsent.get(i));
            }
        }
        unsent = left;
    }

    /** Notes the failure of an attempt that did nothing. */
    void failed(StoreException failure) {
        lastFailure = failure;
    }

    /** Notes the failure of an attempt that may have sent any of its messages. */
    void lost(OutcomeUnknownException failure) {
        lastFailure = failure;
        unknown = failure;
        doubtful.addAll(unsent);
    }

    boolean isDone() {
        return unsent.isEmpty();
    }

    /**
     * One result each, in the order given.
     *
     * @throws OutcomeUnknownException when any message that is not known to be sent was in an attempt without an
     *     answer, whatever the last answer is
     * @throws StoreException the last failure, when no attempt had an answer
     */
    List<SendResult> results() {
        long inDoubt = doubtful.stream()
                .filter(i -> !(results.get(i) instanceof SendResult.Sent))
                .count();
        if (unknown != null && inDoubt > 0) {
            throw unknown == lastFailure ? unknown : stillUnknown(unknown, inDoubt);
        }
        if (lastFailure != null && !wasAnswered) {
            throw lastFailure;
        }
        return List.copyOf(results);
    }

    private OutcomeUnknownException stillUnknown(OutcomeUnknownException earlier, long inDoubt) {
        return new OutcomeUnknownException(
                "the last attempt to send failed, but an earlier one may have taken effect; send again",
                lastFailure == null ? earlier : lastFailure,
                "unsent",
                inDoubt);
    }
}
