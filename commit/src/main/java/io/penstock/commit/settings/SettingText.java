package io.penstock.commit.settings;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.BucketAddress;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of settings as text: {@code 30s}, {@code 64MB}, {@code true}, {@code read-only}. The units are those that
 * Spring reads too.
 */
final class SettingText {
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,18})\\s*([A-Za-z]*)");

    private static final Map<String, Duration> TIMES = Map.of(
            "ns", Duration.ofNanos(1),
            "us", Duration.ofNanos(1000),
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private static final Map<String, Long> SIZES =
            Map.of("", 1L, "B", 1L, "KB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30, "TB", 1L << 40);

    private SettingText() {}

    /** Whether text has a form for values of this type. */
    static boolean isReadable(Class<?> type) {
        return type == Duration.class
                || type == boolean.class
                || type == int.class
                || type == long.class
                || type == String.class
                || type.isEnum()
                || factory(type) != null;
    }

    /** @throws InvalidRequestException when the text has no meaning */
    static Object read(String name, String value, Class<?> type) {
        if (type == String.class) {
            return value;
        }
        if (type == Duration.class) {
            return duration(name, value);
        }
        if (type == int.class) {
            long number = number(name, value);
            if (number != (int) number) {
                throw refused(name, value, "a number below 2 billion");
            }
            return (int) number;
        }
        if (type == long.class) {
            return number(name, value);
        }
        if (type == boolean.class) {
            if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                throw refused(name, value, "true or false");
            }
            return Boolean.valueOf(value);
        }
        if (type == URI.class) {
            return BucketAddress.server(name, value);
        }
        return type.isEnum() ? constant(name, value, type) : made(value, type);
    }

    private static Duration duration(String name, String value) {
        String wanted = "a number and a unit of ns us ms s m h d, such as 30s";
        Matcher matcher = NUMBER.matcher(value);
        try {
            if (!matcher.matches()) {
                return Duration.parse(value);
            }
            Duration unit = TIMES.get(matcher.group(2).toLowerCase(Locale.ROOT));
            if (unit == null) {
                throw refused(name, value, wanted);
            }
            return unit.multipliedBy(Long.parseLong(matcher.group(1)));
        } catch (DateTimeException | ArithmeticException e) {
            throw refused(name, value, wanted);
        }
    }

    private static long number(String name, String value) {
        boolean size = name.contains("bytes");
        String wanted = size ? "a number, with B KB MB GB or TB, such as 64MB" : "a number";
        Matcher matcher = NUMBER.matcher(value);
        if (!matcher.matches() || (!size && !matcher.group(2).isEmpty())) {
            throw refused(name, value, wanted);
        }
        Long unit = SIZES.get(matcher.group(2).toUpperCase(Locale.ROOT));
        try {
            if (unit == null) {
                throw refused(name, value, wanted);
            }
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (ArithmeticException e) {
            throw refused(name, value, wanted);
        }
    }

    private static Object constant(String name, String value, Class<?> type) {
        String wanted = value.replace('-', '_');
        StringBuilder all = new StringBuilder("one of");
        for (Object constant : type.getEnumConstants()) {
            String known = ((Enum<?>) constant).name();
            if (known.equalsIgnoreCase(wanted)) {
                return constant;
            }
            all.append(' ').append(known);
        }
        throw refused(name, value, all.toString());
    }

    private static Object made(String value, Class<?> type) {
        Method factory = factory(type);
        if (factory == null) {
            throw new IllegalArgumentException("text has no form for " + type);
        }
        try {
            return factory.invoke(null, value);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The method {@code of(String)} of a type, if it has one. */
    private static @Nullable Method factory(Class<?> type) {
        try {
            Method found = type.getMethod("of", String.class);
            return found.getReturnType() == type ? found : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static InvalidRequestException refused(String name, String value, String wanted) {
        return new InvalidRequestException(
                ErrorCode.INVALID_SETTING,
                "a setting has a value of no meaning; give " + wanted,
                "setting",
                name,
                "value",
                value);
    }
}
