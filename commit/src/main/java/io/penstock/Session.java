package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.domain.Moment;
import io.penstock.commit.engine.DomainIsolation;
import io.penstock.commit.engine.Isolation;
import io.penstock.commit.engine.ReadOptions;
import io.penstock.commit.engine.Retries;
import io.penstock.commit.engine.SessionParts;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.SessionState;
import io.penstock.commit.settings.Bounds;
import io.penstock.commit.token.SessionTokens;
import io.penstock.commit.token.TokenRules;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scope of client-side consistency: within a session, at MONOTONIC and ATOMIC, a transaction sees what earlier ones
 * have committed, and never an older state than an earlier one has seen. A store handle has one default session; more
 * are for programs that serve several users at once:
 *
 * <pre>{@code
 * try (Session session = store.newSession()) {
 *     session.transact(transaction -> {
 *         transaction.put(books, "1", book);
 *         return true;
 *     });
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class Session implements AutoCloseable {
    /** The number of conflicts of a reader after which checkpoints wait for it. */
    private static final int HELD_FROM = 3;

    /** The maximum number of records that one transaction of {@link #deleteRange} removes. */
    private static final int DELETES_MAX = 1000;

    private final SessionParts parts;
    private final StoreLevel level;
    private final Current current;
    private final SessionState state;
    private final Reads reads;
    private final boolean whole;
    private volatile boolean closed;

    /**
     * @param level of transactions that do not choose one
     * @param current the transaction that each thread is in
     */
    Session(SessionParts parts, StoreLevel level, Current current) {
        this(parts, level, current, new SessionTokens.Accepted(parts.open(), true));
    }

    private Session(SessionParts parts, StoreLevel level, Current current, SessionTokens.Accepted begun) {
        this.parts = parts;
        this.level = level;
        this.current = current;
        this.state = begun.state();
        this.whole = begun.whole();
        this.reads = new Reads(
                state::reader, WriteSet.none(), parts.reads(level.weak().name()));
    }

    /** A session that goes on from a token. */
    static Session goingOn(SessionParts parts, StoreLevel level, Current current, String token) {
        Bounds.requirePresent("token", token);
        return new Session(
                parts,
                level,
                current,
                parts.tasks().uninterruptibly("session", () -> parts.tokens().accept(token)));
    }

    /**
     * Returns all that this session has seen and committed by now, as text from which {@link Penstock#session} goes on
     * at any client of the store: 3,000 characters at most, of those that cookies and URLs take as they are. Later
     * commits are not in it. Sends what is committed at ATOMIC and not yet in its queues; else it mostly makes no
     * request.
     *
     * @throws io.penstock.core.UnavailableException when that cannot be sent, or is in more queues than there is room
     *     for
     */
    public String token() {
        requireOpen();
        return parts.tasks().uninterruptibly("token", () -> parts.tokens().issue(state));
    }

    /**
     * Whether this session has all that its token promises. Not if it began with less than its token promises, or anew,
     * as {@link Settings#tokens} allows.
     */
    public boolean isWhole() {
        return whole;
    }

    /** A transaction at the store's level, of its own wherever it is begun. Commit or close it. */
    public Transaction begin() {
        return begin(null, ReadOptions.OF_TRANSACTION, false);
    }

    /** A transaction at a level of its own. Commit or close it. */
    public Transaction begin(ConsistencyLevel chosen) {
        return begin(Bounds.requirePresent("level", chosen), ReadOptions.OF_TRANSACTION, false);
    }

    /** Begins a transaction that only reads, at the store's level; see {@link #beginRead(ConsistencyLevel)}. */
    public Transaction beginRead() {
        return begin(null, ReadOptions.only(parts.staleness(), false), true);
    }

    /**
     * A transaction that only reads: writes are refused. Close it. At SNAPSHOT and SERIALIZABLE all that it reads is of
     * one state. {@link #read} does the same, and again after a conflict.
     */
    public Transaction beginRead(ConsistencyLevel chosen) {
        return begin(chosen, ReadOptions.only(parts.staleness(), false), true);
    }

    /** A transaction that reads the state of one moment. */
    Transaction at(Moment state, Duration hold) {
        return begin(ConsistencyLevel.SNAPSHOT, ReadOptions.at(state, hold), true);
    }

    /** @param chosen null: the store's level */
    private Transaction begin(@Nullable ConsistencyLevel chosen, ReadOptions reading, boolean readOnly) {
        requireOpen();
        ChosenIsolation isolation =
                new ChosenIsolation(level, chosen, decided -> decided.isolation(parts, state, reading));
        return new Transaction(level, current, isolation, parts, readOnly);
    }

    /** Runs a transaction at the store's level; see {@link #transact(ConsistencyLevel, TransactionBody)}. */
    public <T> T transact(TransactionBody<T> body) {
        return transactAt(null, body);
    }

    /**
     * Runs {@code body} in a transaction and commits. After a conflict it runs again, after a short random pause: up to
     * 8 times in all, at SNAPSHOT and SERIALIZABLE for as long as {@link Settings#callBudget}. Any other exception
     * aborts the transaction and is thrown, a checked one in a {@link BodyException}. A body that commits or aborts the
     * transaction itself has the last word: nothing is committed after it. At SERIALIZABLE what a body has read was
     * true when this returns or throws, however the body ended.
     *
     * <p>Calls of the body to the same store on its thread take part in its transaction: methods of collections and
     * indexes, and further calls of {@code transact} and {@link #read}, by any session. An inner body is a part that is
     * taken back alone when it throws or aborts; it cannot commit. For a transaction apart use {@link #begin()}.
     *
     * @throws InvalidRequestException when an inner body asks for a higher level than the outer one has
     */
    public <T> T transact(ConsistencyLevel chosen, TransactionBody<T> body) {
        return transactAt(Bounds.requirePresent("level", chosen), body);
    }

    /**
     * Runs {@code body} as {@link #transact(TransactionBody)}, unless a transaction of this id was committed before, by
     * any client: so a call whose outcome is unknown can be repeated. Isolated: at the store's level, or at
     * SERIALIZABLE if that does not isolate.
     *
     * <p>An id belongs to the domain of the collections that the body uses, and is remembered for {@link
     * Settings#logRetention}, also where the body has written nothing. Where the body aborts, throws, or uses no
     * collection, it is not. Ids that grow, such as UUIDs of version 7, cost the least.
     *
     * @param id chosen by the program, for all tries of one piece of work: a key of {@link Keys#string}
     * @return the result of the body, which must not be null; empty when a transaction of this id was committed
     *     before. Then the body was not run, or its first use of a collection has ended it by an exception that it must
     *     let pass
     * @throws InvalidRequestException when the body uses a collection without a domain
     */
    public <T> Optional<T> transact(String id, TransactionBody<T> body) {
        Bounds.requirePresent("id", id);
        Transaction running = current.get();
        if (running != null) {
            requireOpen();
            return running.join(ConsistencyLevel.SNAPSHOT, false, joined -> joined.run(id, body));
        }
        ConsistencyLevel used = level.level().isolates() ? level.level() : ConsistencyLevel.SERIALIZABLE;
        return transactAt(used, transaction -> transaction.run(id, body));
    }

    private <T> T transactAt(@Nullable ConsistencyLevel chosen, TransactionBody<T> body) {
        Transaction running = current.get();
        if (running != null) {
            requireOpen();
            return running.join(chosen, false, body);
        }
        Retries retries = retries(chosen);
        List<WeakReference<InputStream>> spent = new ArrayList<>(0);
        while (true) {
            try (Transaction transaction = begin(chosen, ReadOptions.repeated(retries.begunNanos()), false)) {
                transaction.knowSpent(spent);
                T result = run(body, transaction);
                if (!transaction.isOver()) {
                    transaction.commit();
                }
                return result;
            } catch (ConflictException conflict) {
                retries.pause(conflict);
            }
        }
    }

    private Retries retries(@Nullable ConsistencyLevel chosen) {
        ConsistencyLevel used = chosen == null ? level.level() : chosen;
        return parts.retries(used.name(), used.isolates());
    }

    /**
     * Runs calls of this store with a deadline, and returns what they return: reads, writes, whole transactions, by any
     * session. They run on a thread of the library, so what is bound to the caller's thread is not there, and what
     * they bind to theirs they must remove. They go on after the deadline, until {@link Settings#callBudget} ends their
     * requests, since others may wait for the same.
     *
     * <pre>{@code
     * Optional<Book> book = store.session().withDeadline(Duration.ofSeconds(2), () -> books.get(isbn));
     * }</pre>
     *
     * @param timeout positive
     * @throws io.penstock.core.OutcomeUnknownException when the calls have not ended by then, or by an interrupt
     * @throws InvalidRequestException in the body of a transaction, which the calls would be no part of
     */
    public <T> T withDeadline(Duration timeout, Supplier<T> calls) {
        requireOpen();
        current.requireNone("withDeadline");
        Bounds.requirePositive("timeout", timeout);
        Promise<Boolean> ended = parts.tasks().promise();
        Task<T> task = parts.tasks().fork("deadline", () -> {
            try {
                return parts.tasks().lent(calls);
            } finally {
                ended.complete(true);
            }
        });
        if (!endsWithin(timeout, ended)) {
            throw new OutcomeUnknownException(
                    "the calls have not ended in time, or before an interrupt, and go on; what they write may be"
                            + " committed, read to find out",
                    "timeout",
                    timeout);
        }
        return parts.tasks().uninterruptibly("deadline", task::join);
    }

    private static boolean endsWithin(Duration timeout, Promise<Boolean> ended) {
        try {
            return ended.awaitFor(timeout);
        } catch (UnavailableException interrupted) {
            return false; // "retry" would be wrong of calls that go on
        }
    }

    /**
     * Runs the transaction of a method of a collection, at its level, or as a part of that which the thread is in.
     *
     * @param isolated whether it needs isolation: at SERIALIZABLE if the collection's level has none
     */
    <T> T write(RecordCollection<?, ?> collection, boolean isolated, TransactionBody<T> body) {
        Transaction running = current.get();
        if (running == null) {
            ConsistencyLevel used = level.of(collection.declaration().definition());
            return transactAt(isolated && !used.isolates() ? ConsistencyLevel.SERIALIZABLE : used, body);
        }
        if (isolated) {
            running.requireIsolated(collection);
        }
        return running.call(body);
    }

    /** @throws InvalidRequestException when the thread is in a transaction, which {@code what} cannot be a part of */
    void requireOutside(String what) {
        current.requireNone(what);
    }

    /** @throws InvalidRequestException when a collection cannot be used at its level */
    ConsistencyLevel level(CollectionDefinition collection) {
        ConsistencyLevel used = level.of(collection);
        if (used.isolates() && collection.moving() == null) {
            var unused = DomainIsolation.requireDomain(collection, used.name());
        }
        return used;
    }

    /** Whether transactions that choose no level are isolated. */
    boolean isolates() {
        return level.level().isolates();
    }

    /** A stream is read once, so this is not run again. */
    <K> void putStream(RecordCollection<K, ?> collection, K key, InputStream payload) {
        Transaction running = current.get();
        if (running != null) {
            running.putStream(collection, key, payload);
            return;
        }
        try (Transaction transaction = begin(level.of(collection.declaration().definition()))) {
            transaction.putStream(collection, key, payload);
            transaction.commit();
        }
    }

    <K, V> Optional<V> update(
            RecordCollection<K, V> collection, K key, Function<? super Optional<V>, Optional<V>> change) {
        Bounds.requirePresent("change", change);
        return write(collection, true, transaction -> {
            Optional<V> next = Bounds.requirePresent("change's result", change.apply(transaction.get(collection, key)));
            if (next.isEmpty()) {
                transaction.delete(collection, key);
            }
            return next.map(value -> transaction.store(collection, key, value));
        });
    }

    <K, V> boolean putIfAbsent(RecordCollection<K, V> collection, K key, V value) {
        return write(collection, true, transaction -> {
            boolean there = transaction.isThere(collection, key);
            if (!there) {
                transaction.put(collection, key, value);
            }
            return !there;
        });
    }

    <K, V> boolean replace(RecordCollection<K, V> collection, K key, V expected, V value) {
        Reads.CheckedPayloads.requireNotNull(collection.name(), "value", expected);
        return write(collection, true, transaction -> {
            boolean same = transaction
                    .get(collection, key)
                    .filter(found -> collection.payloads().same(found, expected))
                    .isPresent();
            if (same) {
                transaction.put(collection, key, value);
            }
            return same;
        });
    }

    <K, V> long deleteRange(RecordCollection<K, V> collection, KeySpan<? super K> span) {
        long left = Bounds.requirePresent("span", span).limit() == 0 ? Long.MAX_VALUE : span.limit();
        long deleted = 0;
        long most = DELETES_MAX;
        Optional<String> next = Optional.ofNullable(span.after());
        boolean more = true;
        while (more) {
            KeySpan<? super K> batch =
                    span.limit(Math.min(left - deleted, most)).after(next.orElse(null));
            try {
                Scan.Page<K> found = deleteBatch(collection, batch);
                deleted += found.records().size();
                next = found.next();
                more = next.isPresent() && deleted < left;
            } catch (InvalidRequestException refused) {
                if (refused.code() != ErrorCode.TOO_LARGE || most == 1 || current.get() != null) {
                    throw refused;
                }
                most /= 2; // long keys, or many indexes
            }
        }
        return deleted;
    }

    private <K, V> Scan.Page<K> deleteBatch(RecordCollection<K, V> collection, KeySpan<? super K> batch) {
        return write(collection, false, transaction -> {
            Scan.Page<K> page =
                    transaction.reads(collection).keys(collection, batch).page();
            page.records().forEach(key -> transaction.delete(collection, key));
            return page;
        });
    }

    /**
     * Runs a body. Its result or exception may come from an old state, also when it has aborted: then that is a
     * conflict.
     */
    private <T> T run(TransactionBody<T> body, Transaction transaction) {
        T result;
        try {
            result = current.during(transaction, () -> transaction.call(body));
        } catch (UnavailableException | OutcomeUnknownException known) {
            throw known; // it tells of the servers, and not of what was read
        } catch (Throwable failure) {
            if (!(failure instanceof ConflictException conflict) || conflict.code() != ErrorCode.CONFLICT) {
                confirm(transaction, failure); // a version, too, is stale by what was read
            }
            throw failure;
        }
        if (transaction.isOver()) {
            transaction.confirm();
        }
        return result;
    }

    private static void confirm(Transaction transaction, Throwable failure) {
        try {
            transaction.confirm();
        } catch (StoreException unconfirmed) {
            unconfirmed.addSuppressed(failure);
            throw unconfirmed;
        }
    }

    /**
     * Runs {@code body} in a transaction that only reads, at the store's level. At SNAPSHOT and SERIALIZABLE all that
     * it reads is of one state; where others write what it reads, it may run again, and from the third time on
     * checkpoints wait for it, up to 30 s.
     *
     * @throws InvalidRequestException when the body writes
     * @throws ConflictException when others wrote too much during a long read for it to end
     */
    public <T> T read(TransactionBody<T> body) {
        Transaction running = current.get();
        if (running != null) {
            requireOpen();
            return running.join(null, true, body);
        }
        Retries retries = retries(null);
        while (true) {
            ReadOptions reading = ReadOptions.only(parts.staleness(), retries.count() >= HELD_FROM);
            try (Transaction transaction = begin(null, reading, true)) {
                T result = current.during(transaction, () -> transaction.call(body));
                if (!transaction.isOver()) {
                    transaction.endRead();
                }
                return result;
            } catch (ConflictException conflict) {
                retries.pause(conflict);
            }
        }
    }

    /**
     * One read of a collection: in the transaction that the thread is in, or outside of any. All its steps are of one
     * state at the levels that promise it.
     */
    Reads reads(RecordCollection<?, ?> collection) {
        requireOpen();
        Transaction running = current.get();
        if (running != null) {
            return running.reads(collection);
        }
        CollectionDefinition definition = collection.declaration().definition();
        ConsistencyLevel used = level.of(definition);
        if (!used.isolates()) {
            return reads;
        }
        Isolation isolation = used.isolation(parts, state, ReadOptions.each(parts.staleness()));
        isolation.enter(definition, false);
        return new Reads(isolation::reader, WriteSet.none(), parts.reads(used.name()));
    }

    /** Makes one read, from the beginning as often as it meets a state that it cannot go on with. */
    <T> T read(RecordCollection<?, ?> collection, Function<Reads, T> read) {
        if (current.get() != null) {
            return read.apply(reads(collection));
        }
        Retries retries = retries(null);
        while (true) {
            try {
                return read.apply(reads(collection));
            } catch (ConflictException conflict) {
                retries.pause(conflict);
            }
        }
    }

    /** Opens a scan of which the first records are found, from the beginning until that is so. */
    <T> Scan<T> scan(RecordCollection<?, ?> collection, Function<Reads, Scan<T>> open) {
        Reads first = reads(collection);
        boolean repeatable = current.get() == null && first != reads;
        return repeatable ? new RepeatedScan<>(this, collection, open) : open.apply(first.view());
    }

    private void requireOpen() {
        parts.handle().requireOpen();
        if (closed) {
            throw new ClosedException("the session was closed; begin another");
        }
    }

    /**
     * The rules by which a client makes and accepts session tokens. Immutable: each method returns changed rules.
     *
     * <p>Sign tokens that pass through the hands of users. An unsigned token can be forged, and never carries records;
     * a signed one is not secret, and may carry the session's newest writes.
     */
    public static final class Tokens {
        private static final int KEY_BYTES_MIN = 16;
        private static final Duration WITHIN_MAX = Duration.ofHours(1);
        private final TokenRules rules;

        private Tokens(TokenRules rules) {
            this.rules = rules;
        }

        TokenRules rules() {
            return rules;
        }

        /** Tokens without a signature. */
        public static Tokens unsigned() {
            return new Tokens(TokenRules.DEFAULT);
        }

        /**
         * Tokens signed with the first of these keys (HMAC-SHA256), of 16 bytes at least each. Those signed with any of
         * them are taken, so that a key can be replaced. Others are not.
         */
        public static Tokens signed(byte[]... keys) {
            List<Bytes> copies = new ArrayList<>();
            for (byte[] key : keys) {
                if (key.length < KEY_BYTES_MIN) {
                    throw new InvalidRequestException(
                            ErrorCode.INVALID_SETTING,
                            "a key for session tokens is too short; draw a random one",
                            "bytes",
                            key.length,
                            "bytesMin",
                            KEY_BYTES_MIN);
                }
                copies.add(Bytes.wrap(key.clone()));
            }
            if (copies.isEmpty()) {
                throw new InvalidRequestException(ErrorCode.INVALID_SETTING, "signed tokens need a key; give one");
            }
            TokenRules none = TokenRules.DEFAULT;
            return new Tokens(new TokenRules(copies, none.carrying(), none.within(), none.readStale(), none.anew()));
        }

        /**
         * Tokens without records, which the next session then waits for instead. Else the newest writes of a session,
         * up to 2 KiB, travel in its signed token.
         */
        public Tokens withoutRecords() {
            return new Tokens(new TokenRules(rules.keys(), false, rules.within(), rules.readStale(), rules.anew()));
        }

        /**
         * The longest that a session waits for what its user has committed elsewhere, while this client applies it:
         * zero to an hour. Default: 10 s. Zero: a look at the ledgers, and no wait.
         */
        public Tokens waitAtMost(Duration value) {
            Duration checked = Bounds.requireRange("waitAtMost", value, Duration.ZERO, WITHIN_MAX);
            return new Tokens(new TokenRules(rules.keys(), rules.carrying(), checked, rules.readStale(), rules.anew()));
        }

        /**
         * Makes a session begin even if its token's writes are missing after the wait; {@link Session#isWhole} says so.
         * Default: it fails.
         */
        public Tokens orStale() {
            return new Tokens(new TokenRules(rules.keys(), rules.carrying(), rules.within(), true, rules.anew()));
        }

        /** A token that cannot be used begins a new session, and {@link Session#isWhole} says so. Default: it fails. */
        public Tokens orAnew() {
            return new Tokens(new TokenRules(rules.keys(), rules.carrying(), rules.within(), rules.readStale(), true));
        }
    }

    /** Ends the session: its commits stay, but are no longer promised to be visible at once. */
    @Override
    public void close() {
        closed = true;
        state.close();
    }
}
