package io.penstock;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.domain.Limits;
import io.penstock.commit.engine.Encryption;
import io.penstock.commit.engine.Engine;
import io.penstock.commit.engine.LostPayloads;
import io.penstock.commit.engine.OpenServers;
import io.penstock.commit.engine.Services;
import io.penstock.commit.engine.SessionParts;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.feed.Feeds;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.query.SummaryStore;
import io.penstock.commit.settings.Bounds;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.commit.upkeep.Maintenance;
import io.penstock.commit.upkeep.Ping;
import io.penstock.commit.upkeep.StartupRecovery;
import io.penstock.commit.upkeep.StoreInventory;
import io.penstock.commit.upkeep.Sweeps;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Tasks;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A handle of an open store: records in collections, on an object store and a queue service, without a server of its
 * own. Any number of clients open the same store; this handle is one of them.
 *
 * <pre>{@code
 * try (Penstock store = Penstock.open(Settings.local(Path.of("shop")))) {
 *     RecordCollection<String, Book> books = store.collection("books", Keys.string(), Json.of(Book.class));
 *     books.put("1", new Book("Dams", 3));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. Close it when done, so that its commits are applied without delay. A client that
 * just stops loses nothing, but others must first notice that it is gone.
 *
 * <p>After Brantner, Florescu, Graf, Kossmann, Kraska, "Building a Database on S3", SIGMOD 2008.
 */
public final class Penstock implements AutoCloseable {
    /** The share of the pool's memory that the summaries of leaves may take besides. */
    private static final int SUMMARIES_SHARE = 8;

    private final StoreSettings settings;
    private final Engine engine;
    private final StoreState handle;
    private final Maintenance upkeep;
    private final Sweeps sweeps;
    private final SessionParts sessions;
    private final Session session;
    private final StoreLevel level;
    private final Current current = new Current();
    private volatile boolean readsAreStrong;
    private final StoreInventory inventory;
    private final CollectionParts collectionParts;
    private final Admin admin;
    private final OpenServers servers;
    private final Feeds feeds;
    private final SummaryStore summaries;

    /** By their names. */
    private final Map<String, RecordCollection<?, ?>> declared = new ConcurrentHashMap<>();

    /** The ids of transactions, by domain. */
    private final Map<String, RecordCollection<String, Bytes>> ids = new ConcurrentHashMap<>();

    private Penstock(Settings chosen, OpenServers servers) {
        StoreSettings plain = chosen.forStore();
        Encryption encryption = Encryption.of(plain, servers.services());
        Services services = encryption.services(servers.services(), plain.prefix());
        this.settings = encryption.seals().map(plain::sealed).orElse(plain);
        this.level = chosen.storeLevel(services.queued());
        this.engine = Engine.of(settings, services);
        this.handle = engine.handle();
        this.upkeep = new Maintenance(
                services.tasks(),
                settings.background(),
                handle,
                engine.background(),
                engine.membership(),
                engine.checkpoints(),
                engine.protocols());
        this.sweeps =
                new Sweeps(upkeep, services, settings, engine.background(), engine.membership(), engine.checkpoints());
        this.sessions = engine.sessions();
        this.session = new Session(sessions, level, current);
        this.inventory = new StoreInventory(
                services.tasks(), engine.trees().catalog(), engine.background(), settings.routing(), services.queued());
        PageManager pages = engine.foreground().pages();
        BulkLoad.Parts loads = new BulkLoad.Parts(engine.memory(), pages, engine.clock(), engine.payloads());
        LogCheckpoints logs = engine.checkpoints().logs();
        this.collectionParts = CollectionParts.of(handle, settings, engine.trees(), loads, logs, inventory::create);
        this.summaries = summaries(engine, settings);
        this.admin = new Admin(this, engine, upkeep, inventory, collectionParts, servers, encryption);
        this.servers = servers;
        LostPayloads lost = new LostPayloads(engine.trees().catalog(), logs, sessions.shared());
        this.feeds =
                new Feeds(collectionParts, logs, engine.foreground().overflows(), lost, engine.clock()::wallMillis);
        try {
            start(new StartupRecovery(services, settings, engine.membership(), upkeep, pages));
        } catch (Throwable failure) {
            upkeep.abandon();
            engine.release().run();
            throw failure;
        }
    }

    private static SummaryStore summaries(Engine engine, StoreSettings settings) {
        return new SummaryStore(
                engine.foreground().objects(),
                settings.prefix() + "/",
                engine.services().tasks(),
                settings.paging().pool().bytesMax() / SUMMARIES_SHARE);
    }

    private void start(StartupRecovery restoration) {
        boolean writes = !settings.client().readOnly();
        if (writes && !settings.client().mayCreate()) {
            inventory.require();
        }
        restoration.run();
        upkeep.opened(level.level().name());
        if (writes) {
            sweeps.start();
        }
    }

    /** The parts of this store, for tests. */
    Engine engine() {
        return engine;
    }

    /**
     * Opens a store. Where there is none, a handle that may create makes one; another is refused.
     *
     * <p>A local store is open when everything that was acknowledged before is readable (a handle that is {@link
     * Settings#readOnly} changes nothing, and logs what it does not see). On servers, what a dead client had committed
     * is visible within twice {@link Settings#deadAfter}, and at once to its own successor by {@link
     * Settings#clientName}.
     *
     * @throws InvalidRequestException when a local directory is in use by another process and this handle is not read
     *     only (that one looks into it through its owner), or unusable; or when, with
     *     {@link Provisioning#EXISTING}, something is missing: the message lists it
     * @throws io.penstock.core.CorruptDataException when the identity of the store, or the file of a local store's
     *     queues, is damaged. What other damage keeps from being applied is logged and kept, and the store opens
     */
    public static Penstock open(Settings settings) {
        OpenServers servers =
                OpenServers.of(settings.servers(), settings.forStore().client().readOnly());
        try {
            return new Penstock(settings, servers);
        } catch (Throwable failure) {
            servers.close();
            throw failure;
        }
    }

    /**
     * A collection with typed keys and values. Its first use creates it if the store does not have it; declare its
     * indexes before that.
     */
    public <K, V> RecordCollection<K, V> collection(String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        handle.requireOpen();
        return new RecordCollection<>(this, collectionParts, name, keys, payloads);
    }

    /**
     * The collection of a class of values, as JSON; see {@link #collection(Class, PayloadCodec)}.
     *
     * <pre>{@code
     * record Book(@Key String isbn, @Indexed String author, @Version long version) {}
     *
     * RecordCollection<String, Book> books = store.collection(Book.class);
     * Book stored = books.put(new Book("0-201", "Knuth", 0));
     * }</pre>
     */
    public <K, V> RecordCollection<K, V> collection(Class<V> type) {
        return collection(type, Json.of(type));
    }

    /**
     * The collection of a class of values, as its annotations declare it ({@link io.penstock.annotation}): name and
     * domain, keys, indexes, versions, expiry. All properties that have a {@link io.penstock.query.FieldType} are its
     * fields. What the annotations leave open can be declared in code.
     *
     * @param <K> the class of the property with {@link io.penstock.annotation.Key}; a key of another class is refused
     *     when it is used
     * @throws InvalidRequestException when annotations contradict each other, or a type does not fit
     */
    public <K, V> RecordCollection<K, V> collection(Class<V> type, PayloadCodec<V> payloads) {
        Mapping<K, V> mapping = Mapping.of(type);
        return mapping.declare(collection(mapping.name(), mapping.keys(), payloads), payloads);
    }

    /**
     * The records of an existing collection as bytes. Writes are refused if the collection was made with indexes, since
     * their entries need typed values. For indexes added later this handle counts as a client that does not declare
     * them.
     *
     * @throws InvalidRequestException when the store has no such collection
     */
    public RecordCollection<Bytes, Bytes> rawCollection(String name) {
        handle.requireOpen();
        CollectionDefinition found = collectionParts.catalog().requireInUse(name);
        RecordCollection<Bytes, Bytes> raw = new RecordCollection<>(
                this, collectionParts, found.name(), Keys.encoded(found.keys()), PayloadCodec.bytes());
        raw.declaration().take();
        return raw;
    }

    /** The ids of transactions of a collection's domain. */
    RecordCollection<String, Bytes> ids(CollectionDefinition used) {
        String domain = Objects.requireNonNull(used.domain(), "the level has seen to it that there is one");
        return ids.computeIfAbsent(
                domain,
                of -> new RecordCollection<>(this, collectionParts, Feeds.IDS + of, Keys.string(), PayloadCodec.bytes())
                        .inDomain(of)
                        .expiresAfter(settings.log().retention()));
    }

    /** The work of this store's operators: upkeep, checks, repairs, and changes of collections as a whole. */
    public Admin admin() {
        return admin;
    }

    /** The level of transactions that choose none; see {@link Transaction#level}. */
    public ConsistencyLevel level() {
        return level.level();
    }

    /**
     * Counts a conflict of a transaction that a framework runs, in the meters where those of bodies are.
     *
     * @param again whether it is run again
     */
    public void countConflict(ConsistencyLevel level, boolean again) {
        sessions.conflict(level.name(), again);
    }

    /** The names of the store's collections, sorted. */
    public List<String> collections() {
        handle.requireOpen();
        return collectionParts.catalog().list().stream()
                .map(CollectionDefinition::name)
                .toList();
    }

    /** The tasks and the clock of this store, for what is built on it and has its work done beside. */
    public Tasks tasks() {
        return engine.services().tasks();
    }

    /** The id under which this client writes now: a new one after idle minutes, or if it may not be alone. */
    public ClientId clientId() {
        return engine.membership().client();
    }

    /**
     * Makes this client go on under another id. For a process just restored from a snapshot, of which there may be
     * copies; without this call they find each other by their heartbeats.
     */
    public void renewIdentity() {
        handle.requireOpen();
        engine.membership().renew();
    }

    /** A new session, apart from the default one that this handle's own transactions belong to. */
    public Session newSession() {
        handle.requireOpen();
        return new Session(sessions, level, current);
    }

    /**
     * A session that goes on where {@link Session#token} was called, at whichever client of the store, with all its
     * promises. {@link Settings#tokens} says what happens if they cannot be kept, {@link Session#isWhole} whether.
     *
     * @throws InvalidRequestException when the text is no token of this store, or too old
     */
    public Session session(String token) {
        handle.requireOpen();
        return Session.goingOn(sessions, level, current, token);
    }

    /** Begins a transaction in the default session; see {@link Session#begin()}. */
    public Transaction begin() {
        return session.begin();
    }

    /** Begins a transaction in the default session; see {@link Session#begin(ConsistencyLevel)}. */
    public Transaction begin(ConsistencyLevel level) {
        return session.begin(level);
    }

    /** Runs a transaction in the default session; see {@link Session#transact(TransactionBody)}. */
    public <T> T transact(TransactionBody<T> body) {
        return session.transact(body);
    }

    /** Runs a transaction in the default session; see {@link Session#transact(ConsistencyLevel, TransactionBody)}. */
    public <T> T transact(ConsistencyLevel level, TransactionBody<T> body) {
        return session.transact(level, body);
    }

    /** Runs a transaction with an id in the default session; see {@link Session#transact(String, TransactionBody)}. */
    public <T> Optional<T> transact(String id, TransactionBody<T> body) {
        return session.transact(id, body);
    }

    /** Runs a transaction that only reads in the default session; see {@link Session#read}. */
    public <T> T read(TransactionBody<T> body) {
        return session.read(body);
    }

    SummaryStore summaries() {
        return summaries;
    }

    /** Notes that the fields of a collection are declared, in place of another object for the same. */
    void declared(RecordCollection<?, ?> collection) {
        declared.put(collection.name(), collection);
    }

    /** The collections whose fields this program has declared. */
    Collection<RecordCollection<?, ?>> declared() {
        return declared.values();
    }

    /** The default session, which this handle's own transactions belong to. */
    public Session session() {
        return session;
    }

    /**
     * The transaction that the calling thread is in: of a body, or by {@link Transaction#bind}. Empty when it is in
     * none, or that is over. For frameworks.
     */
    public Optional<Transaction> current() {
        return Optional.ofNullable(current.get());
    }

    /** The place in a domain's commit log after all that was acknowledged, to anyone: text to {@link #changes} from. */
    public String position(String domain) {
        return feeds.position(domain);
    }

    /**
     * The transactions of a domain after a position, in the order of its commit log. For all that a domain has: take a
     * {@link #position}, scan its collections, and follow from there.
     */
    public ChangeFeed changes(String position) {
        return feeds.from(position);
    }

    /** The transactions of one segment of a domain's commit log; see {@link Inspection#changes}. */
    List<Commit> segment(String domain, long number) {
        return feeds.segment(domain, number);
    }

    /**
     * A transaction that reads the state of a domain at a position, whichever client took it: so that many read one
     * state. Close it. What has changed since is read as long as pages do not show it, within 50 minutes, and always
     * as long as checkpoints wait.
     *
     * <p>Its reads throw {@link InvalidRequestException} of code {@code POSITION_TOO_OLD} when the state is gone.
     *
     * @param position of {@link #position}, or of a commit of a change feed after which its domain had a state
     * @param hold the time for which checkpoints are asked to wait, if this handle may write: at most ten minutes, and
     *     zero for none. They do not wait while commits need room in the log, nor twice in a row
     * @throws InvalidRequestException when the text is no position of this store
     */
    public Transaction at(String position, Duration hold) {
        return session.at(feeds.moment(position), Bounds.requireRange("hold", hold, Duration.ZERO, Limits.HOLD_MAX));
    }

    /**
     * Forwards what this client has committed at ATOMIC to the PU queues, where every client's checkpoints find it. For
     * a process that is about to be frozen, whose commits others would not see before it wakes or is taken for dead.
     */
    public void flush() {
        handle.requireWritable();
        engine.services().tasks().uninterruptibly("flush", () -> {
            upkeep.flush();
            return true;
        });
    }

    /**
     * Returns when object store and queue service have both answered: one GET and one lookup, without repetitions. The
     * first ping of a handle that may write also writes an object, reads it and removes it: a store whose reads lag its
     * writes is not supported. Such a handle's clock must be close to the servers'.
     *
     * @throws io.penstock.core.UnavailableException when one of them does not answer, when this machine's clock is
     *     wrong, or when one refuses: {@link io.penstock.core.RefusedException}, also when a read does not show what
     *     was just written
     */
    public void ping() {
        handle.requireOpen();
        Ping ping = new Ping(engine.services(), settings, handle.identity());
        ping.run();
        if (settings.client().readOnly()) {
            return;
        }
        engine.membership().serverClock().requireKnownInStep();
        if (!readsAreStrong) {
            ping.requireStrongReads(HexFormat.of()
                    .toHexDigits(engine.services().tasks().random().nextLong()));
            readsAreStrong = true;
        }
    }

    /**
     * Forwards and applies this client's commits, as far as possible within {@link Settings#closeWithin}. The rest is
     * safe in the queues, and is logged. An interrupt does not cut it short. Idempotent.
     */
    @Override
    public void close() {
        if (handle.close()) {
            engine.services().tasks().uninterruptibly("close", this::finish);
        }
    }

    private boolean finish() {
        sweeps.stop();
        try {
            upkeep.close();
        } finally {
            session.close();
            engine.release().run();
            servers.close();
        }
        return true;
    }
}
