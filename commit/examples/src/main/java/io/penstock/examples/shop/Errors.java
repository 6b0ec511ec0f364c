package io.penstock.examples.shop;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Failures of the store, as answers: 409 for what may be tried again or is taken, 503 for what must wait. */
@RestControllerAdvice
class Errors {
    @ExceptionHandler
    ResponseEntity<String> answer(DataAccessException failure) {
        boolean lost = failure instanceof ConcurrencyFailureException || failure instanceof DuplicateKeyException;
        return ResponseEntity.status(lost ? 409 : 503).body(failure.getMessage());
    }
}
