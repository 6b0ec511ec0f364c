package io.penstock.bench.tpcw.bookstore;

/**
 * A row of ADDRESS, columns in the standard's order: ADDR_ID, ADDR_STREET1, ADDR_STREET2, ADDR_CITY, ADDR_STATE,
 * ADDR_ZIP, ADDR_CO_ID.
 */
public record Address(long id, String street1, String street2, String city, String state, String zip, long countryId) {}
