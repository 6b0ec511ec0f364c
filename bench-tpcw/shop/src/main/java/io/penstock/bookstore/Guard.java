package io.penstock.bookstore;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.support.RequestDataValueProcessor;
import org.springframework.web.util.WebUtils;

/**
 * The guard before all pages. It refuses requests for other host names, so that no foreign name can be bound to the
 * loopback, and forms without the visitor's token; and it knows the visitor by a cookie that is neither sent by other
 * sites nor shown to scripts. Safe for use by many threads.
 */
@Component
class Guard implements HandlerInterceptor {
    /** The request attribute that has the {@link Visitor}. */
    static final String VISITOR = "visitor";

    /** The field of a form that has the visitor's token. */
    static final String TOKEN = "token";

    /** The content security policy: this server's style sheets alone, and no script. Pico's icons are data. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    private final Visitors visitors;
    private final List<String> hosts;

    Guard(Visitors visitors, @Value("${shop.hosts}") List<String> hosts) {
        this.visitors = visitors;
        this.hosts = hosts;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        if (request.getAttribute(VISITOR) != null) {
            return true; // an error page for a request that was looked at
        }
        if (!hosts.contains(request.getServerName())) {
            throw new ResponseStatusException(HttpStatus.MISDIRECTED_REQUEST, "This shop is at " + hosts + " only.");
        }
        String id = idOf(request);
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (id == null && reads) {
            id = visitors.newId();
            give(id, request, response);
        }
        Visitor visitor = id == null ? null : visitors.find(id);
        if (visitor == null || !reads && !hasToken(request, visitor)) {
            throw new ResponseStatusException(
                    HttpStatus.FORBIDDEN, "Your visit has ended, or this form is not ours. Begin again.");
        }
        request.setAttribute(VISITOR, visitor);
        return true;
    }

    /** Sets the visitor's cookie. */
    static void give(String id, HttpServletRequest request, HttpServletResponse response) {
        ResponseCookie cookie = ResponseCookie.from(VISITOR, id)
                .path("/")
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Strict")
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    private static @Nullable String idOf(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, VISITOR);
        return cookie != null && ID.matcher(cookie.getValue()).matches() ? cookie.getValue() : null;
    }

    private static boolean hasToken(HttpServletRequest request, Visitor visitor) {
        String token = request.getParameter(TOKEN);
        return token != null && MessageDigest.isEqual(bytes(token), bytes(visitor.formToken()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The token in each form: templates that say {@code th:action} get it as a hidden field. Forms that only read say
     * {@code action}. Safe for use by many threads.
     */
    @Component("requestDataValueProcessor")
    static class FormTokens implements RequestDataValueProcessor {
        @Override
        public Map<String, String> getExtraHiddenFields(HttpServletRequest request) {
            return request.getAttribute(Guard.VISITOR) instanceof Visitor visitor
                    ? Map.of(Guard.TOKEN, visitor.formToken())
                    : Map.of();
        }

        @Override
        public String processAction(HttpServletRequest request, String action, String method) {
            return action;
        }

        @Override
        public String processFormFieldValue(
                HttpServletRequest request, @Nullable String name, String value, String type) {
            return value;
        }

        @Override
        public String processUrl(HttpServletRequest request, String url) {
            return url;
        }
    }
}
