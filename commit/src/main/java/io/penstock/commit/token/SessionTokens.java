package io.penstock.commit.token;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.Identity;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.session.ImportedSession;
import io.penstock.commit.session.SessionState;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes session tokens, and has sessions of other clients go on here. Safe for use by many threads. */
public final class SessionTokens {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTokens.class);

    private final Parts parts;
    private final TokenRules rules;
    private final TokenSigner seal;
    private final CatchUp catchUp;
    private final long store;

    /** The id of this client in tokens, drawn with the first one: a client that makes none draws nothing. */
    private final AtomicReference<@Nullable Long> nonce = new AtomicReference<>();

    /** The access to queues and logs that tokens need from the rest of a client. */
    public interface Places {
        /** Sends to PU queues what this client has committed and not sent. */
        void forward();

        /** Whether a collection of the store has the tree of a queue. */
        boolean isKnown(PuQueueId queue);

        /** Checkpoints a queue if it exists, is not leased, and this client is allowed to. */
        void checkpoint(PuQueueId queue);

        /** The position that this client knows in the commit log of a domain. */
        long position(String domain);

        /** Whether the log of a domain reaches a position, and this client knows it so far when this returns. */
        boolean reaches(String domain, long position);
    }

    /**
     * The parts of a client that this stands on.
     *
     * @param commitWait the longest that a commit waits for what it must not overtake
     */
    public record Parts(
            Tasks tasks,
            ClientContext membership,
            HybridClock clock,
            LedgerStore ledgers,
            SessionState.Shared shared,
            Places places,
            Duration commitWait) {}

    /** A session that goes on here; {@code whole} is whether it has all that its token promises. */
    public record Accepted(SessionState state, boolean whole) {}

    /** @param store the hash that tokens of this store carry, and of no other */
    public SessionTokens(Parts parts, TokenRules rules, long store) {
        this.parts = parts;
        this.rules = rules;
        this.seal = new TokenSigner(rules.keys());
        this.catchUp = new CatchUp(parts.tasks, parts.ledgers, parts.places::checkpoint);
        this.store = store;
    }

    private long origin() {
        if (nonce.get() == null) {
            nonce.compareAndSet(null, parts.tasks.random().nextLong());
        }
        long drawn = Objects.requireNonNull(nonce.get());
        // Clones of a process part with their identities.
        return parts.membership
                .heartbeat()
                .current()
                .map(identity -> drawn ^ identity.client().value())
                .orElse(drawn);
    }

    /**
     * A token of what a session has seen and committed by now.
     *
     * @throws UnavailableException when what it has committed cannot be sent to its queues, or is in more queues than
     *     fit that cannot be applied in time
     */
    public String issue(SessionState session) {
        if (session.hasUnsent()) {
            forward();
        }
        SessionState.Held held = session.held();
        SessionToken token = token(held);
        if (!token.carriesAll()) {
            catchUp.look(token.awaited()); // what is applied by now need not be waited for elsewhere
            token = token(session.held());
        }
        Bytes bytes = token.encode();
        if (bytes.length() > TokenSigner.BYTES_MAX) {
            if (!catchUp.await(token.awaited(), parts.commitWait)) {
                throw new UnavailableException(
                        ErrorCode.BACKLOG_FULL,
                        "what the session has committed is in more queues than a token has room for, and is not"
                                + " applied in time; see that checkpoints run, then retry",
                        "queues",
                        token.awaited().size());
            }
            bytes = token(session.held()).encode();
        }
        if (bytes.length() > TokenSigner.BYTES_MAX) {
            throw new UnavailableException(
                    "the session uses more domains, or commits to more queues, than a token has room for",
                    "bytes",
                    bytes.length());
        }
        return seal.seal(bytes);
    }

    private void forward() {
        try {
            parts.places.forward();
        } catch (StoreException failure) {
            throw new UnavailableException(
                    "what the session has committed is not in its queues yet; no token was made, retry", failure);
        }
    }

    private SessionToken token(SessionState.Held held) {
        List<Position> awaited = new ArrayList<>(held.behind());
        List<LogRecord> records = new ArrayList<>();
        for (StampedTransaction transaction : held.unapplied()) {
            List<Position> positions = transaction.positions();
            if (positions != null) { // null: committed by another thread since
                awaited.addAll(positions);
                records.addAll(transaction.records());
            }
        }
        SortedMap<String, Long> domains = new TreeMap<>();
        held.domains().forEach(name -> domains.put(name, parts.places.position(name)));
        SessionToken.Origin origin = new SessionToken.Origin(origin(), held.pagesNanos());
        boolean fit = rules.carries() && held.behind().isEmpty() && fit(records);
        SessionToken token =
                new SessionToken(store, parts.clock.newest(), origin, domains, awaited, fit ? records : List.of());
        return fit && token.encode().length() > TokenSigner.BYTES_MAX
                ? new SessionToken(store, token.time(), origin, domains, awaited, List.of())
                : token;
    }

    private static boolean fit(List<LogRecord> records) {
        long bytes = 0;
        for (LogRecord record : records) {
            bytes += LogRecordCodec.sizeMax(record);
            if (bytes > SessionToken.RECORD_BYTES_MAX) {
                return false;
            }
        }
        return true;
    }

    /**
     * Accepts a token, so that its session goes on here.
     *
     * @throws InvalidRequestException when the token cannot be used, unless a new session is to begin then
     * @throws UnavailableException when what it promises is not there in time, unless the session may begin with less
     */
    public Accepted accept(String text) {
        SessionToken token;
        SortedMap<String, Long> domains;
        try {
            token = usable(seal.open(text));
            domains = token.domains();
        } catch (InvalidRequestException unusable) {
            if (!rules.anew()) {
                throw unusable;
            }
            LOG.debug("a new session begins why={}", unusable.getMessage());
            return new Accepted(new SessionState(parts.shared), false);
        }
        boolean own = token.origin().id() == origin();
        List<Position> awaited = own ? token.awaited() : known(token.awaited());
        List<StampedTransaction> carried = carried(token, awaited);
        boolean waited = carried.isEmpty() && !awaited.isEmpty();
        boolean whole = !waited || catchUp.await(awaited, rules.within());
        if (!whole && !rules.readStale()) {
            throw new UnavailableException(
                    "what the session has committed elsewhere is not applied in time; retry, or allow it to read stale",
                    "queues",
                    awaited.stream().map(Position::queue).distinct().count(),
                    "withinSeconds",
                    rules.within().toSeconds());
        }
        long pages = own && !waited
                ? token.origin().pagesNanos()
                : parts.shared.pages().nanoTime();
        ImportedSession arrival = new ImportedSession(
                carried, whole && waited ? List.of() : awaited, pages, domains.keySet(), this::awaitTurn);
        return new Accepted(new SessionState(parts.shared, arrival), whole);
    }

    /** Checks a token against this store and its time, and takes note of what it says of both. */
    private SessionToken usable(SessionToken token) {
        if (token.store() != store) {
            throw TokenSigner.refusal("it is of another store", null);
        }
        long age = parts.membership.serverClock().nowMillis() - (token.time() >>> Stamp.COUNTER_BITS);
        if (age > QueueAttributes.RETENTION_MAX.toMillis()) {
            throw TokenSigner.refusal("it is older than queues keep messages", null);
        }
        token.domains().forEach((name, position) -> {
            if (!parts.places.reaches(name, position)) {
                throw TokenSigner.refusal("the store's commit logs are not those that it names", null);
            }
        });
        if (!parts.clock.observe(token.time())) {
            throw TokenSigner.refusal("it is from the future", null);
        }
        return token;
    }

    /** Returns the places without the queues of collections that are gone: nothing is waited for there. */
    private List<Position> known(List<Position> places) {
        return places.stream()
                .filter(place -> parts.places.isKnown(place.queue()))
                .toList();
    }

    /** The session's transactions in the token, if there is room for them. */
    private List<StampedTransaction> carried(SessionToken token, List<Position> awaited) {
        List<StampedTransaction> carried = new ArrayList<>();
        SessionToken.transactions(token.records())
                .forEach((stamp, records) -> carried.add(new StampedTransaction(stamp, records, awaited)));
        long bytes = carried.stream().mapToLong(StampedTransaction::bytes).sum();
        boolean room = !awaited.isEmpty() && parts.shared.overlays().budget().tryTake(bytes);
        return room ? carried : List.of();
    }

    /** Waits before a commit here, which must not be applied before what the session has committed elsewhere. */
    private void awaitTurn(List<Position> overtaken) {
        List<Position> others = overtaken.stream()
                .filter(place -> parts.membership
                        .heartbeat()
                        .current()
                        .filter(identity -> Identity.base(place.client()).equals(identity.client()))
                        .isEmpty()) // its own are numbered, in one line with what follows
                .toList();
        if (!catchUp.await(others, parts.commitWait)) {
            throw new UnavailableException(
                    ErrorCode.BACKLOG_FULL,
                    "what the session has committed elsewhere is not applied yet, and must not be overtaken; nothing"
                            + " was committed, see that checkpoints run, then retry",
                    "withinSeconds",
                    parts.commitWait.toSeconds());
        }
    }
}
