package io.penstock.bench.tpcw.shop;

import io.penstock.core.task.Timekeeper;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What visitors carry from one server of a shop to another, in a cookie: who they are, their cart, and the token of
 * their session of the store, so that the other server shows them all that they did here. Signed with a key that the
 * servers share, so that nobody can make one up. Safe for use by many threads.
 */
final class Passports {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Duration LIFE = Duration.ofMinutes(30);

    /** Signature, issue time, form token, cart, customer, session token. */
    private static final Pattern FORM = Pattern.compile(
            "([0-9a-f]{64})\\.((\\d{1,15})\\.([0-9a-f]+)\\.(\\d{0,19})\\.(\\d{0,19})\\.([A-Za-z0-9._-]+))");

    private final byte[] key;
    private final Timekeeper time;

    Passports(byte[] key, Timekeeper time) {
        this.key = key.clone();
        this.time = time;
    }

    /** What a passport says. */
    record Passport(
            String formToken,
            @Nullable Long cartId,
            @Nullable Long customerId,
            String session) {}

    String issue(WebSession visitor) {
        String text = time.nowMillis() + "." + visitor.formToken() + "." + orEmpty(visitor.cartId()) + "."
                + orEmpty(visitor.customerId()) + "." + visitor.store().token();
        return signature(text) + "." + text;
    }

    private static String orEmpty(@Nullable Long id) {
        return id == null ? "" : Long.toString(id);
    }

    /** The passport, unless it is forged, of another shop, or too old. */
    Optional<Passport> check(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || !isEqual(parts.group(1), signature(parts.group(2)))) {
            return Optional.empty();
        }
        long age = time.nowMillis() - Long.parseLong(parts.group(3));
        return age > LIFE.toMillis()
                ? Optional.empty()
                : Optional.of(new Passport(parts.group(4), id(parts.group(5)), id(parts.group(6)), parts.group(7)));
    }

    private static @Nullable Long id(String digits) {
        return digits.isEmpty() ? null : Long.valueOf(digits);
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            // The store signs its tokens with the same key: the first word keeps the two apart.
            return HexFormat.of().formatHex(mac.doFinal(("passport " + text).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
