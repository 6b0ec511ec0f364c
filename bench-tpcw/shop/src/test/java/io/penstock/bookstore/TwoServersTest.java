package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.RealServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shop in two processes on LocalStack: what users of a web application count on. */
@Tag("servers")
@Tag("long")
class TwoServersTest {
    @Test
    void usersSeeWhatTheyWroteAndNoCopyIsSoldTwice() throws Exception {
        try (TwoServers shop = TwoServers.start(RealServers.localstack())) {
            TwoServers.Redirects redirects = shop.redirects(8, 8);
            assertThat(redirects.moved()).isPositive();
            assertThat(redirects.lost())
                    .as("writes that their writer did not see")
                    .isZero();
            TwoServers.Sale sale = shop.sell(64, 16);
            assertThat(sale.unaccounted()).as("copies sold twice").isZero();
        }
    }
}
