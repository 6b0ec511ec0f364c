package io.penstock.spring.data;

import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.annotation.Unique;
import io.penstock.annotation.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record with indexes and a version. */
@Stored("customers")
record Customer(
        @Key String id,
        @Unique String email,
        @Indexed @Nullable String city,
        Status status,
        int points,
        @Indexed @Nullable Instant since,
        @Version long version) {
    enum Status {
        NEW,
        GOLD,
        GONE
    }

    static Customer of(int number) {
        return of(number, "city" + number % 3, number % 7);
    }

    static Customer of(int number, @Nullable String city, int points) {
        return new Customer(
                "c%03d".formatted(number),
                number + "@example.org",
                city,
                Status.values()[number % 3],
                points,
                number % 5 == 0 ? null : Instant.ofEpochSecond(number % 4),
                0);
    }

    Customer with(int changed) {
        return new Customer(id, email, city, status, changed, since, version);
    }
}
