package io.penstock.bookstore;

import io.penstock.testing.RealServers;
import java.util.Locale;

/** Users who are redirected to the other of two servers, and buyers of one book, on LocalStack. */
public final class RedirectBench {
    private static final int USERS = 8;
    private static final int SECONDS = 60;
    private static final int COPIES = 128;
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
                    | buyers of a copy at a time | %d |
                    | sold | %d |
                    | copies that the stock does not account for | %d |
                    | answers "try again" | %d |
                    """,
                    users,
                    redirects.all(),
                    redirects.moved(),
                    redirects.lost() + warm.lost(),
                    redirects.percentile(50),
                    redirects.percentile(99),
                    BUYERS,
                    sale.sold(),
                    sale.unaccounted(),
                    sale.lost());
            boolean kept = redirects.lost() == 0 && sale.unaccounted() == 0;
            if (!kept) {
                System.exit(1);
            }
        }
    }
}
