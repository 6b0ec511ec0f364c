package io.penstock.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.UnavailableException;
import org.junit.jupiter.api.Test;

class PermitsInterruptTest {
    @Test
    void interruptedWaiterTakesNoPermitAlong() {
        Permits permits = new Permits(new ThreadTasks(), 1);
        permits.acquire();
        Thread.currentThread().interrupt();
        assertThatThrownBy(permits::acquire).isInstanceOf(UnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
        permits.release();
        assertThat(permits.tryAcquire()).isTrue();
    }
}
