package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * A session of the store for each user, whichever server the next request comes to: a cookie carries its token. What a
 * request commits or reads goes into the cookie that its answer sets, before the first byte of its body; what happens
 * later, or on other threads, does not. Safe for use by many threads.
 */
public final class SessionCookieFilter implements Filter, Ordered {
    /** The names that RFC 6265 allows. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final Supplier<Penstock> store;
    private final String cookie;

    /**
     * @param cookie the name of the cookie
     * @throws InvalidRequestException when no cookie can have the name
     */
    public SessionCookieFilter(Penstock store, String cookie) {
        this(() -> store, cookie);
    }

    /** @param store is asked at each request */
    SessionCookieFilter(Supplier<Penstock> store, String cookie) {
        if (!NAME.matcher(cookie).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a cookie's name is of letters, digits and !#$%&'*+-.^_`|~; choose another",
                    "session-cookie",
                    cookie);
        }
        this.store = store;
        this.cookie = cookie;
    }

    /** Returns an early place among filters, so that those of the application are served too. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            try (CurrentSession session = CurrentSession.bind(store.get(), token(http))) {
                CookieResponse wrapped = new CookieResponse(answer, cookie, http.isSecure(), session::token);
                try {
                    chain.doFilter(request, wrapped);
                } finally {
                    wrapped.setCookie();
                }
            }
        } else {
            chain.doFilter(request, response);
        }
    }

    private @Nullable String token(HttpServletRequest request) {
        Cookie[] sent = request.getCookies();
        if (sent != null) {
            for (Cookie one : sent) {
                if (one.getName().equals(cookie) && !one.getValue().isEmpty()) {
                    return one.getValue();
                }
            }
        }
        return null;
    }
}
