package io.penstock.spring;

import io.penstock.core.StoreException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** An answer that gets its cookie at the last moment when it can have one. For one thread. */
final class CookieResponse extends HttpServletResponseWrapper {
    private static final Logger LOG = LoggerFactory.getLogger(CookieResponse.class);

    private final String name;
    private final boolean secure;
    private final Supplier<@Nullable String> token;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private boolean done;

    CookieResponse(HttpServletResponse answer, String name, boolean secure, Supplier<@Nullable String> token) {
        super(answer);
        this.name = name;
        this.secure = secure;
        this.token = token;
    }

    /** Sets the cookie, once. */
    void setCookie() {
        if (done || isCommitted()) {
            return;
        }
        done = true;
        String value;
        try {
            value = token.get();
        } catch (StoreException failure) {
            // What was committed stays so; the user's older token is still good.
            LOG.warn("no session token for the answer; its user may not see the last writes elsewhere", failure);
            return;
        }
        if (value != null) {
            ResponseCookie made = ResponseCookie.from(name, value)
                    .path("/")
                    .httpOnly(true)
                    .secure(secure)
                    .sameSite("Lax")
                    .build();
            addHeader(HttpHeaders.SET_COOKIE, made.toString());
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream known = stream;
        if (known == null) {
            known = new CookieBody.Stream(super.getOutputStream(), this::setCookie);
            stream = known;
        }
        return known;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter known = writer;
        if (known == null) {
            known = CookieBody.writer(super.getWriter(), this::setCookie);
            writer = known;
        }
        return known;
    }

    /** Forgets what the answer had so far, the cookie too. */
    @Override
    public void reset() {
        super.reset();
        stream = null;
        writer = null;
        done = false;
    }

    @Override
    public void flushBuffer() throws IOException {
        setCookie();
        super.flushBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
        setCookie();
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        setCookie();
        super.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        setCookie();
        super.sendRedirect(location);
    }

    /**
     * Redirects, and fixes the cookie first, as the methods below do. Servlet containers call this since Servlet 6.1.
     */
    @Override
    public void sendRedirect(String location, int status) throws IOException {
        setCookie();
        super.sendRedirect(location, status);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        setCookie();
        super.sendRedirect(location, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        setCookie();
        super.sendRedirect(location, status, clearBuffer);
    }
}
