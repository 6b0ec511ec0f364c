package io.penstock.core.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.testing.RecordedTasks;
import io.penstock.testing.ScriptedObjectStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryingObjectStoreTest {
    private static final RetryPolicy THREE =
            new RetryPolicy(3, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final UnavailableException UNAVAILABLE = new UnavailableException("throttled");
    private static final OutcomeUnknownException UNKNOWN = new OutcomeUnknownException("lost");
    private static final Bytes BODY = Bytes.utf8("x");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ScriptedObjectStore inner = new ScriptedObjectStore();
    private final ObjectStore store =
            ObjectStores.retrying(inner, THREE, new RecordedTasks(Duration.ZERO), new RequestMeters(registry, "test"));

    @Test
    void readsAndDeletesAreRepeatedAfterEitherFailure() {
        List<Runnable> calls = List.of(
                () -> store.get("a"),
                () -> store.getRange("a", 0, 1),
                () -> store.getIfChanged("a", new ObjectVersion("v")),
                () -> store.delete("a"),
                () -> store.deleteAll(List.of("a")),
                () -> store.list("", "", 1));
        for (Runnable call : calls) {
            inner.calls().clear();
            inner.failing(UNAVAILABLE, UNKNOWN);
            call.run();
            assertThat(inner.calls()).hasSize(3);
        }
        assertThat(retries("s3.get")).isEqualTo(6);
        assertThat(retries("s3.delete")).isEqualTo(4);
        assertThat(retries("s3.list")).isEqualTo(2);
    }

    private double retries(String operation) {
        return registry.get("penstock.retries")
                .tags("op", operation, "part", "test")
                .counter()
                .count();
    }

    @Test
    void lastFailureIsThrown() {
        UnavailableException last = new UnavailableException("still throttled");
        inner.failing(UNAVAILABLE, UNAVAILABLE, last);
        assertThatThrownBy(() -> store.get("a")).isSameAs(last);
        assertThat(inner.calls()).hasSize(3);
    }

    @Test
    void lookIsRepeatedAfterEitherFailure() {
        inner.failing(UNKNOWN, UNAVAILABLE);
        store.getTimed("a");
        assertThat(inner.calls()).containsExactly("look", "look", "look");
    }

    @Test
    void unconditionalPutIsRepeatedAfterEitherFailure() {
        inner.failing(UNKNOWN, UNAVAILABLE);
        store.put("a", BODY, WriteCondition.ALWAYS);
        assertThat(inner.calls()).hasSize(3);
    }

    @Test
    void conditionalPutIsRepeatedOnlyIfNothingWasDone() {
        for (WriteCondition condition :
                List.of(WriteCondition.IF_ABSENT, WriteCondition.ifVersion(new ObjectVersion("v")))) {
            inner.calls().clear();
            inner.failing(UNAVAILABLE, UNAVAILABLE);
            store.put("a", BODY, condition);
            assertThat(inner.calls()).hasSize(3);
            inner.failing(UNAVAILABLE, UNKNOWN);
            assertThatThrownBy(() -> store.put("a", BODY, condition)).isSameAs(UNKNOWN);
            assertThat(inner.calls()).hasSize(5);
        }
    }

    @Test
    void conflictAfterAnAttemptThatDidNothingIsAConflict() {
        inner.failing(UNAVAILABLE, new ConflictException("taken"));
        assertThatThrownBy(() -> store.put("a", BODY, WriteCondition.IF_ABSENT)).isInstanceOf(ConflictException.class);
    }

    @Test
    void unknownIsNotForgottenWhenTheLastAttemptDidNothing() {
        inner.failing(UNKNOWN, UNAVAILABLE, UNAVAILABLE);
        assertThatThrownBy(() -> store.put("a", BODY, WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCause(UNAVAILABLE)
                .hasMessageContaining("attempts=3");
        inner.failing(UNKNOWN, new ConflictException("concurrent write"));
        assertThatThrownBy(() -> store.put("a", BODY, WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    /** Whatever is said of the repetition, the first attempt may have taken effect. */
    @Test
    void unknownIsNotForgottenWhenTheLastAttemptFailedForGood() {
        for (StoreException last : List.of(
                new InvalidRequestException("wrong"),
                new ClosedException("closed"),
                new CorruptDataException("damaged"),
                new RefusedException(ErrorCode.ACCESS_DENIED, "denied"))) {
            inner.failing(UNKNOWN, last);
            assertThatThrownBy(() -> store.put("a", BODY, WriteCondition.ALWAYS))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasCause(last);
        }
    }

    @Test
    void otherFailuresGoUpAtOnce() {
        for (RuntimeException failure : List.of(
                new InvalidRequestException("wrong"),
                new ConflictException("taken"),
                new CorruptDataException("damaged"),
                new IllegalStateException("bug"))) {
            inner.calls().clear();
            inner.failing(failure);
            assertThatThrownBy(() -> store.get("a")).isSameAs(failure);
            assertThat(inner.calls()).hasSize(1);
        }
    }

    @Test
    void closesWhatIsBelow() {
        store.close();
        assertThat(inner.calls()).containsExactly("close");
    }
}
