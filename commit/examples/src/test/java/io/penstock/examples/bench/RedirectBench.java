package io.penstock.examples.bench;

import io.penstock.testing.RealServers;
import java.util.Locale;

/** Users who are redirected to the other of two servers, and buyers of the last copies, on LocalStack. */
public final class RedirectBench {
    private static final int USERS = 8;
    private static final int SECONDS = 60;
    private static final int COPIES = 100;
    private static final int BUYERS = 32;

    private RedirectBench() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.of("redirect", arguments, "users", "seconds");
        try (TwoServers shop = TwoServers.start(RealServers.localstack())) {
            int users = options.number("users", USERS);
            var warm = shop.redirects(users, 5);
            TwoServers.Redirects redirects = shop.redirects(users, options.number("seconds", SECONDS));
            TwoServers.Sale sale = shop.sell(COPIES, BUYERS);
            System.out.printf(
                    Locale.ROOT,
                    """
                    | what | value |
                    |---|---|
                    | users | %d |
                    | redirects | %d |
                    | to the other server | %d |
                    | after which the user did not see her write | %d |
                    | answer of the other server, p50 | %.0f ms |
                    | answer of the other server, p99 | %.0f ms |
                    | buyers of %d copies | %d |
                    | sold | %d |
                    | orders in the store | %d |
                    | left in stock | %d |
                    | answers "try again" | %d |
                    """,
                    users,
                    redirects.all(),
                    redirects.moved(),
                    redirects.lost() + warm.lost(),
                    redirects.percentile(50),
                    redirects.percentile(99),
                    COPIES,
                    BUYERS,
                    sale.sold(),
                    sale.orders(),
                    sale.stock(),
                    sale.lost());
            boolean kept =
                    redirects.lost() == 0 && sale.sold() == COPIES && sale.orders() == COPIES && sale.stock() == 0;
            if (!kept) {
                System.exit(1);
            }
        }
    }
}
