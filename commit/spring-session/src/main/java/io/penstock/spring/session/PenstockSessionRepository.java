package io.penstock.spring.session;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.TransactionBody;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.serializer.DefaultDeserializer;
import org.springframework.core.serializer.support.DeserializingConverter;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSession;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.util.ClassUtils;

/**
 * HTTP sessions in a collection of a store, for all servers of an application. Safe for many threads once set up.
 *
 * <p>A save writes what its request has changed, in a transaction at SERIALIZABLE of its own: of two requests on two
 * servers that change different attributes of one session, both survive; of one attribute the later save. A change of
 * the id keeps the session's record. What another request has deleted is not saved again. The store drops sessions some
 * minutes after they have expired; no event tells of that.
 *
 * <p>Attributes are serialized as Spring Session's repositories do by default: by Java's serialization. So who can
 * write the store can have any object made.
 */
public final class PenstockSessionRepository
        implements FindByIndexNameSessionRepository<PenstockSessionRepository.PenstockSession> {
    private static final Duration MAX_INACTIVE = Duration.ofSeconds(Integer.MAX_VALUE);

    /** The time for which a request may go on by an id that its session has lost. */
    private static final Duration EARLIER_KEPT = Duration.ofHours(1);

    private final PrincipalNameIndexResolver<PenstockSession> principals = new PrincipalNameIndexResolver<>();
    private final Penstock store;
    private final RecordCollection<String, StoredSession> sessions;

    /** The keys of sessions by ids that they had. */
    private final RecordCollection<String, String> earlier;

    private final Index<String, String, StoredSession> byId;
    private final Index<String, String, StoredSession> byPrincipal;
    private final SerializingConverter serializer = new SerializingConverter();
    private final DeserializingConverter deserializer;
    private Duration maxInactive = MapSession.DEFAULT_MAX_INACTIVE_INTERVAL;
    private FlushMode flushMode = FlushMode.ON_SAVE;
    private SaveMode saveMode = SaveMode.ON_SET_ATTRIBUTE;

    public PenstockSessionRepository(Penstock store) {
        this(store, ClassUtils.getDefaultClassLoader());
    }

    PenstockSessionRepository(Penstock store, @Nullable ClassLoader classes) {
        RecordCollection<String, StoredSession> declared = store.collection(StoredSession.class);
        this.store = store;
        this.sessions = declared.expiresAt(StoredSession::kept);
        this.earlier = store.collection("spring-session-earlier", Keys.string(), Json.of(String.class))
                .inDomain(StoredSession.DOMAIN)
                .expiresAfter(EARLIER_KEPT);
        this.byId = sessions.index("id");
        this.byPrincipal = sessions.index("principal");
        this.deserializer = new DeserializingConverter(new DefaultDeserializer(classes));
    }

    /**
     * Sets the life of new sessions without a request; 30 minutes by default, negative for ever. No life is longer than
     * the servlet API can say, 68 years.
     */
    public void setDefaultMaxInactiveInterval(Duration interval) {
        maxInactive = limited(interval);
    }

    private static Duration limited(Duration interval) {
        return interval.compareTo(MAX_INACTIVE) > 0 ? MAX_INACTIVE : interval;
    }

    /** Sets when changes are written: by {@link #save}, the default, or each at once. */
    public void setFlushMode(FlushMode mode) {
        flushMode = mode;
    }

    /** Sets which attributes a save writes: those that were set, by default. */
    public void setSaveMode(SaveMode mode) {
        saveMode = mode;
    }

    @Override
    public PenstockSession createSession() {
        MapSession properties = new MapSession();
        properties.setMaxInactiveInterval(maxInactive);
        PenstockSession session = new PenstockSession(properties, null);
        session.flush();
        return session;
    }

    @Override
    public void save(PenstockSession session) {
        StoredSession mine = session.mine();
        StoredSession base = session.base;
        if (mine.equals(base)) {
            return;
        }
        boolean unused = apart(transaction -> {
            Optional<StoredSession> next = base == null
                    ? Optional.of(mine)
                    : transaction.get(sessions, mine.key()).map(others -> {
                        StoredSession merged = others.with(base, mine);
                        if (!others.id().equals(merged.id())) {
                            transaction.put(earlier, others.id(), others.key());
                        }
                        return merged;
                    });
            next.ifPresent(stored -> transaction.put(sessions, stored.key(), stored));
            return true;
        });
        session.base = mine;
        session.changed.clear();
    }

    @Override
    public @Nullable PenstockSession findById(String id) {
        return find(byId, id).get(id);
    }

    @Override
    public Map<String, PenstockSession> findByIndexNameAndIndexValue(String indexName, String value) {
        return indexName.equals(PRINCIPAL_NAME_INDEX_NAME) ? find(byPrincipal, value) : Map.of();
    }

    /** The sessions with a search key that have not expired, by their ids. */
    private Map<String, PenstockSession> find(Index<String, String, StoredSession> by, String searchKey) {
        return apart(transaction -> transaction.scan(by, searchKey).page().records()).stream()
                .map(found -> new PenstockSession(new MapSession(found.value().id()), found.value()))
                .filter(session -> !session.isExpired())
                .collect(Collectors.toMap(PenstockSession::getId, Function.identity()));
    }

    /** Removes a session, also by an id that it had until lately: another request may have changed it meanwhile. */
    @Override
    public void deleteById(String id) {
        boolean unused = apart(transaction -> {
            List<Entry<String, StoredSession>> found =
                    transaction.scan(byId, id).page().records();
            String key = found.isEmpty()
                    ? transaction.get(earlier, id).orElse(id)
                    : found.getFirst().key();
            transaction.delete(sessions, key);
            return true;
        });
    }

    /** Runs a transaction that is no part of one that the caller is in: on a thread of its own, which is in none. */
    private <T> T apart(TransactionBody<T> body) {
        Tasks tasks = store.tasks();
        Task<T> task = tasks.fork("spring-session", () -> store.transact(ConsistencyLevel.SERIALIZABLE, body));
        return tasks.uninterruptibly("spring-session", task::join);
    }

    /** A session as one request has it. For one thread at a time. */
    public final class PenstockSession implements Session {
        private final String key;
        private final MapSession properties;
        private final Map<String, byte[]> stored = new HashMap<>();

        /** Attributes that were set or read; the others are only {@link #stored}. */
        private final Map<String, Object> values = new HashMap<>();

        /** Attributes to save, or to remove if they are not there any more. */
        private final Set<String> changed = new HashSet<>();

        /** The session as it was found or last saved; null for one that is new. */
        private @Nullable StoredSession base;

        private PenstockSession(MapSession properties, @Nullable StoredSession found) {
            this.properties = properties;
            this.key = found == null ? properties.getId() : found.key();
            this.base = found;
            if (found != null) {
                properties.setCreationTime(found.created());
                properties.setLastAccessedTime(found.accessed());
                properties.setMaxInactiveInterval(found.maxInactive());
                stored.putAll(found.attributes());
            }
            if (saveMode == SaveMode.ALWAYS) {
                changed.addAll(stored.keySet());
            }
        }

        /** The session as this request would have it. */
        private StoredSession mine() {
            String principal =
                    base != null && changed.isEmpty() ? base.principal() : principals.resolveIndexValueFor(this);
            for (String name : changed) {
                if (values.containsKey(name)) {
                    stored.put(name, serializer.convert(values.get(name)));
                } else {
                    stored.computeIfPresent(name, (same, bytes) -> bytes.clone());
                }
            }
            return new StoredSession(
                    key,
                    getId(),
                    getCreationTime(),
                    getLastAccessedTime(),
                    getMaxInactiveInterval(),
                    principal,
                    Map.copyOf(stored));
        }

        private void flush() {
            if (flushMode == FlushMode.IMMEDIATE) {
                save(this);
            }
        }

        @Override
        public String getId() {
            return properties.getId();
        }

        @Override
        public String changeSessionId() {
            String id = properties.changeSessionId();
            flush();
            return id;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller knows the type
        public <T> @Nullable T getAttribute(String name) {
            byte[] bytes = stored.get(name);
            Object value = bytes == null
                    ? values.get(name)
                    : values.computeIfAbsent(name, absent -> deserializer.convert(bytes));
            if (value != null && saveMode == SaveMode.ON_GET_ATTRIBUTE) {
                changed.add(name);
            }
            return (T) value;
        }

        @Override
        public Set<String> getAttributeNames() {
            Set<String> names = new HashSet<>(stored.keySet());
            names.addAll(values.keySet());
            return names;
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            if (value == null) {
                values.remove(name);
                stored.remove(name);
            } else {
                values.put(name, value);
            }
            changed.add(name);
            flush();
        }

        @Override
        public void removeAttribute(String name) {
            setAttribute(name, null);
        }

        @Override
        public Instant getCreationTime() {
            return properties.getCreationTime();
        }

        @Override
        public void setLastAccessedTime(Instant time) {
            properties.setLastAccessedTime(time);
            flush();
        }

        @Override
        public Instant getLastAccessedTime() {
            return properties.getLastAccessedTime();
        }

        @Override
        public void setMaxInactiveInterval(Duration interval) {
            properties.setMaxInactiveInterval(limited(interval));
            flush();
        }

        @Override
        public Duration getMaxInactiveInterval() {
            return properties.getMaxInactiveInterval();
        }

        @Override
        public boolean isExpired() {
            return properties.isExpired();
        }
    }
}
