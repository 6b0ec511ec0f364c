package io.penstock.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Interrupts reach neither shielded work nor those who share it. */
class ShieldTest {
    private final Tasks tasks = new ThreadTasks();

    @Test
    void anInterruptedCallerGetsTheResultAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        String result = tasks.uninterruptibly("work", () -> {
            tasks.sleep(Duration.ofMillis(20)); // would be cut short on the caller's thread
            return "done";
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result).isEqualTo("done");
    }

    /** Work with a deadline is code of the user on a thread of the library: there the user may be interrupted too. */
    @Test
    void anInterruptOfALentThreadReachesNoShieldedBody() {
        Task<String> lent = tasks.fork(
                "within",
                () -> tasks.lent(() -> {
                    Thread.currentThread().interrupt();
                    String done = tasks.uninterruptibly("work", () -> {
                        tasks.sleep(Duration.ofMillis(20));
                        return "done";
                    });
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    return done;
                }));
        String result = lent.join();
        assertThat(result).isEqualTo("done");
    }

    @Test
    void whatTheBodyThrowsIsThrown() {
        assertThatThrownBy(() -> tasks.uninterruptibly("work", () -> {
                    throw new UnavailableException("away");
                }))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("away");
        assertThatThrownBy(() -> tasks.uninterruptibly("work", () -> {
                    throw new StackOverflowError("planned");
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** The first caller does the work for all; when it was interrupted, all of them failed. */
    @Test
    void anInterruptOfTheFirstCallerFailsNoOther() throws InterruptedException {
        SingleFlight<String, String> flight = new SingleFlight<>(tasks);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<String> second = new AtomicReference<>();
        Thread first = Thread.ofVirtual()
                .start(() -> flight.call("key", () -> {
                    begun.countDown();
                    tasks.sleep(Duration.ofMillis(100));
                    return "value";
                }));
        begun.await();
        Thread other = Thread.ofVirtual().start(() -> {
            go.countDown();
            second.set(flight.call("key", () -> "own"));
        });
        go.await();
        first.interrupt();
        first.join();
        other.join();
        assertThat(second.get()).isIn("value", "own");
    }

    /** All inputs are tried, and what was begun is awaited, whatever one of them throws. */
    @Test
    void parallelWorkIsAwaitedWhateverIsThrown() {
        AtomicReference<String> slow = new AtomicReference<>("begun");
        assertThatThrownBy(() -> Parallel.map(tasks, 2, List.of("error", "slow"), input -> {
                    if (input.equals("error")) {
                        throw new NoClassDefFoundError("planned");
                    }
                    tasks.sleep(Duration.ofMillis(50));
                    slow.set("ended");
                    return input;
                }))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(slow.get()).isEqualTo("ended");
    }
}
