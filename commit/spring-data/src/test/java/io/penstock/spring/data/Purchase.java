package io.penstock.spring.data;

import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A record of a user, in the order of time, which counts its instances. */
@Stored("purchases")
record Purchase(
        @Key UUID id,
        @Indexed(with = "at") UUID user,
        @Nullable Instant at) {
    static final AtomicLong MADE = new AtomicLong();

    Purchase {
        MADE.incrementAndGet();
    }
}
