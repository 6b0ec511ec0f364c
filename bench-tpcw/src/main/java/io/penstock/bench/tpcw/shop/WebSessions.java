package io.penstock.bench.tpcw.shop;

import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.core.task.Timekeeper;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The visitors of this server, by cookie. They end when unused. Safe for use by many threads. */
final class WebSessions {
    private static final int TOKEN_BYTES = 16;
    private static final Duration UNUSED_MAX = Duration.ofMinutes(30);

    private final ShopServer server;
    private final Timekeeper time;
    private final Optional<Passports> passports;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, WebSession> byCookie = new ConcurrentHashMap<>();

    /** @param passports of a shop with several servers */
    WebSessions(ShopServer server, Timekeeper time, Optional<Passports> passports) {
        this.server = server;
        this.time = time;
        this.passports = passports;
    }

    /** The visitor with that cookie, unless it is unknown or too old. */
    Optional<WebSession> find(String cookie) {
        long now = time.nanoTime();
        byCookie.entrySet().removeIf(entry -> {
            boolean old = now - entry.getValue().usedNanos() > UNUSED_MAX.toNanos();
            if (old) {
                entry.getValue().store().close();
            }
            return old;
        });
        Optional<WebSession> found = Optional.ofNullable(byCookie.get(cookie));
        found.ifPresent(session -> session.used(now));
        return found;
    }

    /** A new visitor; returns the cookie. */
    String begin() {
        return add(new WebSession(server.newSession(), token()));
    }

    /** A visitor who comes from another server; returns the cookie, unless the passport is not good. */
    Optional<String> arrive(String passport) {
        return passports.flatMap(all -> all.check(passport)).map(known -> {
            WebSession session = new WebSession(server.goOn(known.session()), known.formToken());
            session.cart(known.cartId());
            if (known.customerId() != null) {
                session.signedIn(known.customerId());
            }
            return add(session);
        });
    }

    /** The passport of a visitor as of now, if this shop has several servers. */
    Optional<String> passport(WebSession session) {
        return passports.map(all -> all.issue(session));
    }

    private String add(WebSession session) {
        session.used(time.nanoTime());
        String cookie = token();
        byCookie.put(cookie, session);
        return cookie;
    }

    /** Gives a visitor another cookie, so that one that somebody else has planted is worth nothing after signing in. */
    String renew(String cookie) {
        WebSession session = byCookie.remove(cookie);
        String renewed = token();
        if (session != null) {
            byCookie.put(renewed, session);
        }
        return renewed;
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
