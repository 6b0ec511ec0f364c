package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Session;
import org.jspecify.annotations.Nullable;

/**
 * The session of the user whom this thread serves, if {@link SessionCookieFilter} has bound one; else one that all
 * share. It is begun when it is first needed. For one thread, except for the store's shared one.
 */
final class CurrentSession implements AutoCloseable {
    private static final ThreadLocal<CurrentSession> BOUND = new ThreadLocal<>();

    private final Penstock store;
    private final @Nullable String token;
    private final @Nullable CurrentSession before;
    private @Nullable Session session;

    private CurrentSession(Penstock store, @Nullable String token, @Nullable CurrentSession before) {
        this.store = store;
        this.token = token;
        this.before = before;
    }

    /** Binds a session that goes on from a token, or begins anew. Close it on the same thread. */
    static CurrentSession bind(Penstock store, @Nullable String token) {
        CurrentSession bound = new CurrentSession(store, token, BOUND.get());
        BOUND.set(bound);
        return bound;
    }

    static Session of(Penstock store) {
        CurrentSession bound = BOUND.get();
        return bound != null && bound.store == store ? bound.session() : store.session();
    }

    private Session session() {
        Session known = session;
        if (known == null) {
            known = PenstockExceptionTranslator.translating(
                    store, () -> token == null ? store.newSession() : store.session(token));
            session = known;
        }
        return known;
    }

    /** The token of the session, if there was a use for it. */
    @Nullable
    String token() {
        Session known = session;
        return known == null ? null : known.token();
    }

    @Override
    public void close() {
        if (before == null) {
            BOUND.remove();
        } else {
            BOUND.set(before);
        }
        if (session != null) {
            session.close();
        }
    }
}
