package io.penstock.bookstore;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * The token in each form: templates that say {@code th:action} get it as a hidden field. Forms that only read say
 * {@code action}. Safe for use by many threads.
 */
@Component("requestDataValueProcessor")
class FormTokens implements RequestDataValueProcessor {
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
    public String processFormFieldValue(HttpServletRequest request, @Nullable String name, String value, String type) {
        return value;
    }

    @Override
    public String processUrl(HttpServletRequest request, String url) {
        return url;
    }
}
