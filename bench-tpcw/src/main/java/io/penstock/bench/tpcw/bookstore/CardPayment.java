package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;

/**
 * A row of CC_XACTS: CX_O_ID, CX_TYPE, CX_NUM, CX_NAME, CX_EXPIRY, CX_AUTH_ID, CX_XACT_AMT, CX_XACT_DATE, CX_CO_ID.
 */
public record CardPayment(
        long orderId,
        String type,
        String number,
        String name,
        LocalDate expiry,
        String authorization,
        long amountCents,
        LocalDate date,
        long countryId) {}
