package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.time.LocalDateTime;

/**
 * A row of CUSTOMER, columns in the standard's order: C_ID, C_UNAME, C_PASSWD, C_FNAME, C_LNAME, C_ADDR_ID, C_PHONE,
 * C_EMAIL, C_SINCE, C_LAST_LOGIN, C_LOGIN, C_EXPIRATION, C_DISCOUNT, C_BALANCE, C_YTD_PMT, C_BIRTHDATE, C_DATA.
 *
 * @param discountPercent 0 to 50
 */
public record Customer(
        long id,
        String userName,
        String password,
        String firstName,
        String lastName,
        long addressId,
        String phone,
        String email,
        LocalDate since,
        LocalDate lastLogin,
        LocalDateTime login,
        LocalDateTime expiration,
        int discountPercent,
        long balanceCents,
        long yearToDatePaymentCents,
        LocalDate birthdate,
        String data) {
    /** Returns this customer, signed in at {@code now} until {@code end}. */
    public Customer signedIn(LocalDateTime now, LocalDateTime end) {
        return new Customer(
                id,
                userName,
                password,
                firstName,
                lastName,
                addressId,
                phone,
                email,
                since,
                now.toLocalDate(),
                now,
                end,
                discountPercent,
                balanceCents,
                yearToDatePaymentCents,
                birthdate,
                data);
    }
}
