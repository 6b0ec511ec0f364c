package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.core.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Failures as pages, each with one line for the visitor. */
@ControllerAdvice
class Problems {
    /** The forms that are shown again, with what was filled in, by where they are sent to. */
    private static final Map<String, String> FORMS = Map.of("/buy", "register", "/order", "orders");

    /** A wish that the shop refuses. */
    @ExceptionHandler
    ModelAndView refused(ShopException refused, HttpServletRequest request) {
        return page(
                FORMS.getOrDefault(request.getRequestURI(), "problem"), HttpStatus.BAD_REQUEST, refused.getMessage());
    }

    /** A request that no form of the shop sends. */
    @ExceptionHandler({TypeMismatchException.class, ServletRequestBindingException.class})
    ModelAndView unreadable() {
        return page("problem", HttpStatus.BAD_REQUEST, "The shop does not understand this request.");
    }

    @ExceptionHandler
    ModelAndView unusable(InvalidParameterException wrong) {
        HttpStatus status = HttpStatus.valueOf(wrong.getErrorCode());
        return status == HttpStatus.CONTENT_TOO_LARGE
                ? page("problem", status, "That is too much text.")
                : unreadable();
    }

    @ExceptionHandler
    ModelAndView notHere(NoResourceFoundException missing) {
        return page("problem", HttpStatus.NOT_FOUND, "There is no such page.");
    }

    @ExceptionHandler
    ModelAndView status(ResponseStatusException problem) {
        return page("problem", problem.getStatusCode(), problem.getReason());
    }

    @ExceptionHandler({DataAccessException.class, StoreException.class})
    ModelAndView failed() {
        return page("problem", HttpStatus.SERVICE_UNAVAILABLE, "The store did not answer. Nothing is lost; try again.");
    }

    private static ModelAndView page(String view, HttpStatusCode status, @Nullable String line) {
        ModelAndView page = new ModelAndView(view, "problem", String.valueOf(line));
        page.setStatus(status);
        return page;
    }
}
