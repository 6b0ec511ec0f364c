package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;

/** A row of AUTHOR: A_ID, A_FNAME, A_LNAME, A_MNAME, A_DOB, A_BIO. */
public record Author(
        long id, String firstName, String lastName, String middleName, LocalDate dateOfBirth, String biography) {}
