package io.penstock;

import io.penstock.btree.TreeCompaction;
import io.penstock.commit.backup.Backup;
import io.penstock.commit.backup.Filling;
import io.penstock.commit.backup.Source;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.client.ServerTimeTasks;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.engine.Encryption;
import io.penstock.commit.engine.Engine;
import io.penstock.commit.engine.OpenServers;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.query.SummaryBuild;
import io.penstock.commit.settings.Bounds;
import io.penstock.commit.upkeep.Compaction;
import io.penstock.commit.upkeep.Drop;
import io.penstock.commit.upkeep.GarbageCollection;
import io.penstock.commit.upkeep.Maintenance;
import io.penstock.commit.upkeep.Move;
import io.penstock.commit.upkeep.StoreContents;
import io.penstock.commit.upkeep.StoreInventory;
import io.penstock.commit.upkeep.Verification;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.query.Field;
import io.penstock.report.Backlog;
import io.penstock.report.BackupReport;
import io.penstock.report.CheckpointReport;
import io.penstock.report.CompactionReport;
import io.penstock.report.GcReport;
import io.penstock.report.IndexReport;
import io.penstock.report.MoveProgress;
import io.penstock.report.RecoveryReport;
import io.penstock.report.RestoreReport;
import io.penstock.report.ScrubReport;
import io.penstock.report.SummaryReport;
import io.penstock.report.VerifyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The work of a store's operators: upkeep, checks, repairs, and changes of collections as a whole, which are parts of
 * no transaction. {@link Penstock#admin} returns it. Collections are given by their names, so that no program's codecs
 * are needed. Safe for use by many threads.
 *
 * <p>Each method throws {@link io.penstock.core.UnavailableException} when the servers do not answer. Those that change
 * something throw {@link InvalidRequestException} on a handle that is read only; then repeat them on another one.
 */
public final class Admin {
    private static final double BLOOM_FALSE_POSITIVES = 0.01;
    private static final double BLOOM_FALSE_POSITIVES_MIN = 0.0001;
    private static final double BLOOM_FALSE_POSITIVES_MAX = 0.5;

    private final Penstock store;
    private final Engine engine;
    private final StoreState handle;
    private final Maintenance upkeep;
    private final StoreInventory inventory;
    private final CollectionParts parts;
    private final OpenServers servers;
    private final Encryption encryption;

    Admin(
            Penstock store,
            Engine engine,
            Maintenance upkeep,
            StoreInventory inventory,
            CollectionParts parts,
            OpenServers servers,
            Encryption encryption) {
        this.store = store;
        this.engine = engine;
        this.handle = engine.handle();
        this.upkeep = upkeep;
        this.inventory = inventory;
        this.parts = parts;
        this.servers = servers;
        this.encryption = encryption;
    }

    private StoreContents contents() {
        return StoreContents.of(engine.trees(), engine.background(), engine.membership(), engine.checkpoints());
    }

    /**
     * Creates everything that clients with {@link Provisioning#EXISTING} need: these collections, and for all
     * collections of the store the queues of this handle's layout. Idempotent; repeat it when it failed.
     *
     * @throws InvalidRequestException when this client may not create anything, or its layout is per leaf
     */
    public void provision(RecordCollection<?, ?>... collections) {
        handle.requireWritable();
        if (!parts.settings().client().mayCreate()) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_PROVISIONED,
                    "this client may create nothing; open the store with provisioning CREATE");
        }
        List.of(collections).forEach(each -> each.declaration().definition());
        inventory.create();
    }

    /** Forwards this client's commits, then applies every PU queue that no other client is checkpointing. */
    public CheckpointReport checkpoint() {
        handle.requireWritable();
        return checkpoint(Checkpointer.Reach.ALL);
    }

    /**
     * Does what {@link #checkpoint} does, and also applies the messages that are held back, since an earlier one of
     * their client is missing: for the case that it is lost, as with a queue that somebody has deleted. Order is given
     * up, no data.
     */
    public CheckpointReport applyHeldBack() {
        handle.requireWritable();
        return checkpoint(Checkpointer.Reach.REGARDLESS);
    }

    private CheckpointReport checkpoint(Checkpointer.Reach reach) {
        return engine.services().tasks().uninterruptibly("checkpoint", () -> upkeep.checkpointAll(reach));
    }

    /**
     * Takes a backup of the store while everybody writes: a cut of each domain. The first one in a folder reads all
     * records, later ones take what commit logs have since, as long as they keep it ({@link Settings#logRetention}) and
     * no collection was made, dropped or changed. Each object is read back. A backup that was cut short is none; repeat
     * it. Restored stores are new ones: tokens and positions of this store do not fit them.
     *
     * @param target the object store of the backups, such as another bucket, or {@code LocalCloud.objects} of a
     *     directory
     * @param folder of the backups of this store alone
     * @param full whether all records are read in any case: with one full backup a month, say, restoring stays quick
     * @throws InvalidRequestException when a collection is in no domain or moves, when an index is being built, or
     *     when the folder has backups of another store
     * @throws io.penstock.core.ConflictException when a collection was made, dropped or changed meanwhile; repeat it
     */
    public BackupReport backup(ObjectStore target, String folder, boolean full) {
        handle.requireOpen();
        ObjectStore place = encryption.backups(target, folder, true);
        return engine.services().tasks().uninterruptibly("backup", () -> new Backup(source(), place, folder).run(full));
    }

    /**
     * Removes full backups of a folder, with all that was taken after each of them, and what is left of backups that
     * were cut short.
     *
     * @param full the number of full backups that stay, at least 1
     * @param age the age up to which each moment stays, by the servers' clock; zero: only their number counts
     * @return the number of those that are gone
     */
    public long keepBackups(ObjectStore target, String folder, int full, Duration age) {
        handle.requireOpen();
        Bounds.requireRange("full", full, 1, Integer.MAX_VALUE);
        Duration kept = Bounds.requireRange("age", age, Duration.ZERO, Duration.ofDays(36_500));
        return new Backup(source(), encryption.backups(target, folder, false), folder).keep(full, kept);
    }

    /**
     * Restores a backup into this store, which must have no collections. Until it returns they cannot be used; repeat
     * it when it failed. If that came after all was there, when only some collections could be used yet, the repeated
     * call does no more than to open the others, at the moment of the first. Indexes that were added later are to be
     * built again, by {@link RecordCollection#build()}.
     *
     * @param from the object store that {@link #backup} has written to
     * @param at the moment whose state is wanted, by the stamps of commits; empty: that of the last backup. Where a
     *     client's clock is ahead of the servers', they are later than the moment at which it was answered, by at most
     *     {@link Settings.Advanced#clockSkewMax}; so are those of commits after it
     * @throws InvalidRequestException when the store has collections, when there is no backup, or none of the moment
     * @throws io.penstock.core.CorruptDataException when an object of the backup is missing or damaged
     */
    public RestoreReport restore(ObjectStore from, String folder, Optional<Instant> at) {
        requireChangeable("restore");
        ObjectStore place = encryption.backups(from, folder, false);
        Optional<Long> millis = at.map(Admin::millis);
        Tasks tasks = engine.services().tasks();
        return tasks.uninterruptibly(
                "restore", () -> restoring(place, folder, millis).run());
    }

    /** Returns a moment in milliseconds since 1970, or the first or last one that there is a number for. */
    private static long millis(Instant at) {
        try {
            return at.toEpochMilli();
        } catch (ArithmeticException tooFar) {
            return at.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /**
     * Copies this store, as it is at one moment, into another one, which must have no collections: with all that is in
     * domains, while everybody writes. It is a store of its own: tokens and positions of this one do not fit it. Until
     * the call returns its collections cannot be used; repeat it when it failed. Indexes that were added later are to
     * be built again, by {@link RecordCollection#build()}.
     *
     * @param to another store, open to write, anywhere; with an encryption of its own or without
     * @throws InvalidRequestException when the other store has collections, or when one of this store is in no domain
     *     or moves, or an index of it is being built
     * @throws io.penstock.core.ConflictException when a collection was made, dropped or changed meanwhile, or a
     *     large payload replaced while it was copied; repeat it
     */
    public RestoreReport copy(Penstock to) {
        handle.requireOpen();
        Admin other = to.admin();
        other.requireChangeable("copy");
        Source from = source();
        Tasks tasks = engine.services().tasks();
        return tasks.uninterruptibly("copy", () -> other.copying(from).run());
    }

    /**
     * Adds a data key to those of an encrypted store, and seals all of them by the current master key of
     * {@link Settings#encryption}. Clients may work meanwhile: who opens the store later, or reads what is new, has the
     * key. What was written before stays as it is, and is sealed anew when it is written again.
     *
     * @return the number of data keys
     * @throws InvalidRequestException when the store is not encrypted
     */
    public int rotateKeys() {
        handle.requireWritable();
        return engine.services().tasks().uninterruptibly("rotate", encryption::rotate);
    }

    private Filling restoring(ObjectStore place, String folder, Optional<Long> atMillis) {
        return Filling.restoring(source(), engine.membership(), place, folder, atMillis);
    }

    private Filling copying(Source from) {
        return Filling.copying(source(), engine.membership(), from);
    }

    private Source source() {
        return new Source(
                new ServerTimeTasks(
                        engine.services().tasks(), engine.membership().serverClock()),
                handle,
                engine.trees().catalog(),
                engine.checkpoints().logs(),
                engine.sessions().shared(),
                engine.foreground().objects(),
                engine.foreground().overflows());
    }

    /** Finishes the commits that dead clients have left unfinished; see {@link Settings#deadAfter}. */
    public RecoveryReport recover() {
        handle.requireWritable();
        return engine.services().tasks().uninterruptibly("recover", upkeep::recover);
    }

    /** The messages of all clients that are committed and not yet applied. */
    public Backlog backlog() {
        handle.requireOpen();
        return upkeep.backlog();
    }

    /**
     * Purges old tombstones from pages, merges neighbouring leaves that are nearly empty, and gives pages the form that
     * {@link #repage} asks for. {@link #removeGarbage} removes the pages that this leaves over. Safe at any time,
     * beside any other client. It reads every page of the store. Summaries of the fields that this program declares are
     * refreshed.
     */
    public CompactionReport compact() {
        return compact(TreeCompaction.JOINED_PERCENT_MAX);
    }

    CompactionReport compact(int percent) {
        handle.requireWritable();
        engine.membership().join();
        CompactionReport report =
                engine.memory().lend(room -> new Compaction(engine.trees(), engine.membership(), room, percent).run());
        if (report.rewritten() + report.joined() + report.reformed() > 0) {
            store.declared().stream().filter(this::isSummarized).forEach(collection -> {
                var unused = summarize(collection);
            });
        }
        return report;
    }

    /**
     * Removes objects that nothing refers to or ever will, such as pages of a split that was interrupted.
     * Safe at any time, beside any other client. It reads every page of the store.
     *
     * @param grace the age below which objects are skipped, since their writers are probably still at work. It only
     *     saves requests, and may be zero. A tree that is not whole is left as it is
     */
    public GcReport removeGarbage(Duration grace) {
        handle.requireWritable();
        engine.membership().join();
        return engine.memory().lend(room -> new GarbageCollection(contents(), room, grace, true).run());
    }

    /** The orphans that {@link #removeGarbage} would examine. Changes nothing. */
    public GcReport findGarbage(Duration grace) {
        handle.requireOpen();
        return engine.memory().lend(room -> new GarbageCollection(contents(), room, grace, false).run());
    }

    /**
     * Verifies the whole store: every tree, large payloads, indexes, home pages and backlogs of queues, orphans,
     * quarantine. Changes nothing. Run it while no client writes: it may mistake a change in progress for a fault.
     */
    public VerifyReport verify() {
        handle.requireOpen();
        return engine.memory()
                .lend(room -> new Verification(contents(), room, upkeep::backlog, servers.damage()).run());
    }

    /** Descriptions of the store's contents, in words. */
    public Inspection inspect() {
        handle.requireOpen();
        return new Inspection(
                store, handle, engine.memory(), contents(), engine.membership().registry());
    }

    /**
     * Returns the quarantine: the messages and log records that could not be applied and are kept, and the way to apply
     * them after a repair.
     */
    public Quarantine quarantine() {
        handle.requireOpen();
        var again = engine.checkpoints().reapplication();
        return new Quarantine(handle, engine.services().tasks(), engine.membership(), contents(), again);
    }

    /**
     * Drops a collection with its indexes and all that is pending for it; returns false if there is none. Handles that
     * have it open are refused from then on, those of other clients within a minute; what they commit until then is
     * lost too. A collection opened later under the same name is a new one. {@link #removeGarbage} removes what is
     * left.
     *
     * @throws InvalidRequestException when the collection belongs to a domain
     */
    public boolean drop(String collection) {
        requireChangeable("drop");
        return new Drop(parts).drop(collection);
    }

    /**
     * Removes all records as {@link #drop} does, and keeps the collection. Indexes built later must be built again.
     *
     * @throws InvalidRequestException when the store has no such collection, or it belongs to a domain
     */
    public void truncate(String collection) {
        requireChangeable("truncate");
        new Drop(parts).truncate(collection);
    }

    /**
     * Renames a collection. Its old names lead to it from then on, for programs that do not know the new one, until
     * another collection is renamed to one of them. Others may write meanwhile. Idempotent.
     *
     * @throws InvalidRequestException when the store has another collection of the new name, or none of the old one
     */
    public void rename(String collection, String to) {
        requireChangeable("rename");
        parts.catalog().rename(collection, to);
    }

    /**
     * Changes the size at which leaves split, 512 bytes to 16 MiB, and the compression of pages. A page changes when it
     * is written next, all do by {@link #compact}. Keys and records may be as large as before, not larger.
     *
     * @throws InvalidRequestException when the store has no such collection, or when the choice cannot be used
     */
    public void repage(String collection, int pageBytes, Compression by) {
        requireChangeable("repage");
        parts.catalog().repage(collection, pageBytes, by);
    }

    /**
     * Moves a collection into a domain: from then on all its changes go through the commit log. For some minutes
     * writers are refused; what one commits all the same goes into quarantine. After a failure repeat it.
     *
     * @param progress receives the steps, from the calling thread
     */
    public void moveInto(String collection, String domain, Consumer<MoveProgress> progress) {
        requireChangeable("moveInto");
        new Move(parts, upkeep).into(collection, Domains.requireName(domain), progress);
    }

    /**
     * Moves a collection, which must have no unique index, out of its domain, as {@link #moveInto}. Refused in a store
     * without queues.
     */
    public void moveOut(String collection, Consumer<MoveProgress> progress) {
        requireChangeable("moveOut");
        handle.requireQueues();
        new Move(parts, upkeep).out(collection, progress);
    }

    /**
     * Drops an index, which the collection must have. What running clients that declare it write to it for a while is
     * thrown away. An index of the same name may be built again.
     */
    public void dropIndex(String collection, String index) {
        requireChangeable("dropIndex");
        parts.indexing().drop(collection, index);
    }

    /**
     * Compares an index with all records of its collection. Run it while no client writes: it may mistake a change in
     * progress for a fault.
     *
     * @throws InvalidRequestException when the store does not have the index
     */
    public IndexReport check(Index<?, ?, ?> index) {
        handle.requireOpen();
        return parts.indexing().check(index.stored(), index.declared());
    }

    /**
     * Writes the entries of records whose writers did not know the index, and removes entries that do not fit their
     * records. Safe at any time, beside any other work; repeat it when it failed.
     *
     * @throws InvalidRequestException when the store does not have the index
     */
    public ScrubReport scrub(Index<?, ?, ?> index) {
        handle.requireWritable();
        return parts.indexing().scrub(() -> index.collection().declaration().noted(index.stored()), index.declared());
    }

    /**
     * Builds summaries of the leaves of a collection, so that queries need not read leaves which have nothing that they
     * look for; or refreshes them, for which it reads the leaves that have changed. Of a collection without fields it
     * removes them. Safe at any time, beside any other client. A summary counts as long as its leaf does not change.
     *
     * @param bloomed fields by whose values single records are looked for: their summaries get Bloom filters, ten bits
     *     a record; then all leaves are read. Without any, those that have filters keep them
     * @throws InvalidRequestException when a field is not declared
     */
    public SummaryReport summarize(RecordCollection<?, ?> collection, Field<?>... bloomed) {
        return summarize(collection, BLOOM_FALSE_POSITIVES, bloomed);
    }

    /**
     * Builds or refreshes summaries, with smaller or better Bloom filters.
     *
     * @param falsePositives the part of leaves that are read for a value which they do not have, 0.0001 to 0.5: 23 to 3
     *     bits a record
     * @throws InvalidRequestException when a field is not declared
     */
    public SummaryReport summarize(RecordCollection<?, ?> collection, double falsePositives, Field<?>... bloomed) {
        handle.requireWritable();
        boolean some = falsePositives >= BLOOM_FALSE_POSITIVES_MIN && falsePositives <= BLOOM_FALSE_POSITIVES_MAX;
        if (!some) {
            throw new InvalidRequestException(
                    "the rate of false positives is from 0.0001 to 0.5", "falsePositives", falsePositives);
        }
        List.of(bloomed).forEach(collection.fields()::require);
        return engine.memory()
                .lend(room -> new SummaryBuild(
                                store.summaries(),
                                engine.trees().fresh().apply(room),
                                collection.tree(),
                                collection.fields().all(),
                                List.of(bloomed),
                                falsePositives,
                                collection.subject())
                        .run());
    }

    private boolean isSummarized(RecordCollection<?, ?> collection) {
        return store.collections().contains(collection.name())
                && store.summaries().isOf(collection.tree(), collection.fields().all());
    }

    /** Checks that a collection itself may be changed now, which is a part of no transaction. */
    private void requireChangeable(String call) {
        handle.requireWritable();
        store.session().requireOutside(call);
    }
}
