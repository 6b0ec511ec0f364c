package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StampTest {
    @Test
    void nothingIsBetweenAStampAndTheNext() {
        Stamp stamp = Stamp.of(1_700_000_000_000L, 7, new ClientId(41));
        assertThat(stamp.next()).isEqualTo(Stamp.of(1_700_000_000_000L, 7, new ClientId(42)));
        assertThat(stamp.next().isAfter(stamp)).isTrue();
        Stamp last = new Stamp(stamp.time(), new ClientId(-1));
        assertThat(last.next()).isEqualTo(new Stamp(stamp.time() + 1, new ClientId(0)));
        assertThat(last.next().isAfter(last)).isTrue();
        Stamp sign = new Stamp(stamp.time(), new ClientId(Long.MAX_VALUE));
        assertThat(sign.next().isAfter(sign)).isTrue();
    }
}
