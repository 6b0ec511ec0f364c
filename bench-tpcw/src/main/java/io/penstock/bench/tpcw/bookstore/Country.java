package io.penstock.bench.tpcw.bookstore;

/**
 * A row of COUNTRY: CO_ID, CO_NAME, CO_EXCHANGE, CO_CURRENCY.
 *
 * @param exchange units of the currency for one dollar, as the standard writes it
 */
public record Country(long id, String name, String exchange, String currency) {}
