package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Locale;

/** ADDRESS and CUSTOMER by clause 4.7.1. */
final class CustomerRows {
    private static final LocalDate BIRTHS_FROM = LocalDate.of(1880, 1, 1);
    private static final int LOGIN_HOURS = 2;

    private final long seed;
    private final Scale scale;

    CustomerRows(long seed, Scale scale) {
        this.seed = seed;
        this.scale = scale;
    }

    Address address(long id) {
        Draws draws = Draws.of(seed, "address", id);
        return new Address(
                id,
                draws.aString(15, 40),
                draws.aString(15, 40),
                draws.aString(4, 30),
                draws.aString(2, 20),
                draws.aString(5, 10),
                draws.between(1, Scale.COUNTRIES));
    }

    Customer customer(long id) {
        Draws draws = Draws.of(seed, "customer", id);
        String userName = Draws.digSyl(id, 0);
        LocalDate since = Population.TODAY.minusDays(draws.between(1, 730));
        LocalDate lastLogin = since.plusDays(draws.between(0, 60));
        LocalDateTime login = Population.TODAY.atStartOfDay();
        return new Customer(
                id,
                userName,
                userName.toLowerCase(Locale.ROOT),
                draws.aString(8, 15),
                draws.aString(8, 15),
                draws.between(1, scale.addresses()),
                draws.nString(9, 16),
                userName + "@" + draws.aString(2, 9) + ".com",
                since,
                lastLogin.isAfter(Population.TODAY) ? Population.TODAY : lastLogin,
                login,
                login.plusHours(LOGIN_HOURS),
                draws.between(0, 50),
                0,
                draws.between(0, 99_999),
                draws.date(BIRTHS_FROM, Population.TODAY),
                draws.aString(100, 500));
    }
}
