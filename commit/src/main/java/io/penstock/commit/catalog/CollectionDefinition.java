package io.penstock.commit.catalog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.penstock.core.Compression;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A collection as the catalog keeps it, as JSON under {@code catalog/<name>.json}. The indexes that a collection is
 * created with are complete from its first record on. An index that is added later has an epoch above 0, and must be
 * built first.
 *
 * @param format 1
 * @param tree of the primary index, 16 hexadecimal digits; of a dropped collection the last one it had
 * @param keys the type of the keys, as in {@code KeyCodec.name}
 * @param pageBytes the size at which pages of its trees split at first; the sizes of keys and records are bounded by it
 * @param revision grows by one with each change of this definition
 * @param epoch grows by one whenever indexes are added or one is dropped
 * @param dropped the trees of dropped indexes: log records for them are discarded
 * @param compression of the pages of all its trees; null: none
 * @param domain the domain whose commit log all changes of the collection go through; null: none, they go through
 *     queues
 * @param former the trees that it had before it was dropped or emptied, oldest first
 * @param moving while the collection is on its way into its domain, or out of it, so that no client may write, or is
 *     being restored, so that none may use it; else null
 * @param names its other names; null if it was never renamed
 * @param pages the sizes of its leaves; null: as {@code pageBytes} says, they were never changed
 * @param since the time of the newest stamp in the log of its domain before which pages may lack what was written to
 *     them beside the log: by a move into the domain, or by the build of an index. 0: there was none
 * @param raced the time of the newest stamp up to which entries of indexes may be left over from races of writers,
 *     since the collection was outside of domains; null: {@code since}, as only a move leads into a domain
 */
@JsonPropertyOrder({"format", "name", "tree", "keys", "pageBytes", "indexes", "revision", "epoch", "dropped"})
public record CollectionDefinition(
        int format,
        String name,
        String tree,
        String keys,
        int pageBytes,
        List<IndexDefinition> indexes,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long revision,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long epoch,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> dropped,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String compression,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String domain,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FormerTrees> former,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String moving,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable OtherNames names,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable OtherPages pages,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long since,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long raced) {
    static final int FORMAT = 1;

    /** The least size at which pages split, in bytes. */
    static final int PAGE_BYTES_MIN = 512;

    static final int PAGE_BYTES_MAX = 16 << 20;

    /**
     * The value of {@code moving} while the collection is on its way into its domain; {@link #OUT} while it is on its
     * way out, and all of it is in the log and on pages; {@link #LEFT} once all of it is on pages.
     */
    public static final String IN = "in";

    public static final String OUT = "out";

    public static final String LEFT = "left";

    /** The beginning of {@code moving} while a backup is restored; the run that does it follows. Nobody may use it. */
    private static final String RESTORING = "restoring:";

    private static final Set<String> MOVES = Set.of(IN, OUT, LEFT);

    /** Refuses invalid definitions, so that a damaged entry of the catalog is found when it is read. */
    public CollectionDefinition {
        indexes = List.copyOf(indexes);
        dropped = dropped == null ? List.of() : List.copyOf(dropped);
        former = former == null ? List.of() : List.copyOf(former);
        Objects.requireNonNull(keys, "keys");
        TreeId.fromHex(tree);
        requirePageBytes(pageBytes);
        dropped.forEach(TreeId::fromHex);
        requireKnown(compression);
        if (domain != null && !NameRule.allows(domain)) {
            throw new IllegalArgumentException("domain=" + domain);
        }
        if (moving != null && (domain == null || !MOVES.contains(moving) && !moving.startsWith(RESTORING))) {
            throw new IllegalArgumentException("moving=" + moving);
        }
    }

    static void requirePageBytes(int bytes) {
        if (bytes < PAGE_BYTES_MIN || bytes > PAGE_BYTES_MAX) {
            throw new IllegalArgumentException("pageBytes=" + bytes);
        }
    }

    private static void requireKnown(@Nullable String compression) {
        if (compression != null && Compression.labelled(compression).isEmpty()) {
            throw new IllegalArgumentException("compression=" + compression);
        }
    }

    public TreeId treeId() {
        return TreeId.fromHex(tree);
    }

    /** The compression of the pages of all its trees. */
    public Compression compressedBy() {
        return compression == null
                ? Compression.NONE
                : Compression.labelled(compression).orElseThrow();
    }

    /**
     * Returns this definition with compressed pages, as a new collection needs it, or unchanged without compression.
     */
    public CollectionDefinition withCompression(Compression wanted) {
        return wanted == Compression.NONE ? this : with(draft -> draft.compression = wanted.label());
    }

    /** Returns this definition with other pages, or this very object when that changes nothing. */
    public CollectionDefinition withPages(int bytes, Compression by) {
        if (bytes == leafBytesTarget() && by == compressedBy()) {
            return this;
        }
        return next(draft -> {
            draft.pages = new OtherPages(bytes, Math.max(bytes, leafBytesMax()));
            draft.compression = by == Compression.NONE ? null : by.label();
        });
    }

    /** The size at which leaves of all its trees split. */
    public int leafBytesTarget() {
        return pages == null ? pageBytes : pages.leafBytes();
    }

    /** The size at which leaves have ever split: none is much larger, if it has two records. */
    public int leafBytesMax() {
        return pages == null ? pageBytes : pages.leafBytesMax();
    }

    /** Whether pages may have another form than this definition says, since it said otherwise before. */
    public boolean hasChangedPages() {
        return pages != null;
    }

    /** Whether this asks for other pages than another definition of the collection. */
    boolean hasOtherPagesThan(CollectionDefinition other) {
        return leafBytesTarget() != other.leafBytesTarget() || compressedBy() != other.compressedBy();
    }

    /** Returns this definition as that of a collection of a domain, or of none. */
    public CollectionDefinition within(@Nullable String wanted) {
        return with(draft -> draft.domain = wanted);
    }

    /** Returns this definition at the next epoch, of a collection of a domain, or of none, that moves or is there. */
    public CollectionDefinition moved(@Nullable String to, @Nullable String how) {
        return next(draft -> {
            draft.epoch++;
            draft.domain = to;
            draft.moving = how;
        });
    }

    /** Returns this definition as it is once a move has put a fence with this time into the domain's log. */
    public CollectionDefinition since(long time) {
        return with(draft -> {
            draft.since = time;
            draft.raced = null;
        });
    }

    /** Returns this definition as it is once the build of an index has put such a fence. */
    public CollectionDefinition builtSince(long time) {
        return with(draft -> {
            draft.since = time;
            draft.raced = racedUntil();
        });
    }

    /** The time of the newest stamp up to which entries of indexes may be left over from races of writers. */
    public long racedUntil() {
        return raced == null ? since : raced;
    }

    /** That time of one index: beside the build of one that was added later writers need not know it. */
    public long racedUntil(IndexDefinition index) {
        return index.added() == 0 ? racedUntil() : since;
    }

    /**
     * Returns this definition as that of a collection that is being restored into a new store.
     *
     * @param run that fills the collection, and alone may open it
     */
    public CollectionDefinition restored(String run) {
        return with(draft -> {
            draft.moving = RESTORING + run;
            draft.indexes = indexes.stream().map(IndexDefinition::restored).toList();
            draft.since = 0;
            draft.raced = null;
            draft.revision = 0;
            draft.former = List.of();
            draft.dropped = List.of();
            draft.names = names == null ? null : names.ofTarget();
        });
    }

    /** Whether it is being restored, by any run. */
    @JsonIgnore
    public boolean isRestoring() {
        return moving != null && moving.startsWith(RESTORING);
    }

    /** Whether it is being restored by a run, which no other one has taken over from. */
    public boolean isRestoredBy(String run) {
        return (RESTORING + run).equals(moving);
    }

    /** Returns this definition as one that another run restores; if none does, this very object. */
    CollectionDefinition takenOver(String run) {
        return isRestoring() && !isRestoredBy(run) ? next(draft -> draft.moving = RESTORING + run) : this;
    }

    /** Returns this definition as that of a collection that is restored. */
    public CollectionDefinition opened(long time) {
        return moved(domain, null).since(time);
    }

    /** @throws ConflictException when the collection is being restored */
    CollectionDefinition requireRestored() {
        if (isRestoring()) {
            throw new ConflictException(
                    ErrorCode.BEING_RESTORED,
                    "the collection is being restored or copied; wait for the end, or repeat that if it was cut"
                            + " short",
                    "collection",
                    name);
        }
        return this;
    }

    /** @throws UnavailableException when the collection is on its way into a domain or out of it, or being restored */
    public CollectionDefinition requireAtRest() {
        if (moving != null) {
            throw new UnavailableException(
                    "the collection is being moved into a domain or out of it; retry in some minutes, or see to it that"
                            + " the move is finished",
                    "collection",
                    name,
                    "domain",
                    domain);
        }
        return this;
    }

    /** Whether this is on its way into its domain. */
    @JsonIgnore
    public boolean isArriving() {
        return IN.equals(moving);
    }

    /** Whether this is on its way out, and the commit log has what pages lack. */
    @JsonIgnore
    public boolean isLeaving() {
        return OUT.equals(moving);
    }

    /** All trees in use: of the primary index, of the secondary indexes, and of pending entries. */
    public Stream<TreeId> trees() {
        return isGone()
                ? Stream.empty()
                : Stream.concat(Stream.of(tree), indexes.stream().flatMap(IndexDefinition::trees))
                        .map(TreeId::fromHex);
    }

    /** The trees that log records are sent for. */
    public Stream<TreeId> queuedTrees() {
        return domain != null && !IN.equals(moving) || isGone()
                ? Stream.empty()
                : Stream.concat(Stream.of(treeId()), indexes.stream().map(IndexDefinition::treeId));
    }

    /** Whether the collection was dropped, so that only this definition is left of it, as a record of that. */
    @JsonIgnore
    public boolean isGone() {
        return hadRecordsIn(tree);
    }

    /** Whether its records were in a tree until it was dropped or emptied. */
    boolean hadRecordsIn(TreeId id) {
        return hadRecordsIn(id.hex());
    }

    /** A loop, for each read asks. */
    private boolean hadRecordsIn(String hex) {
        for (FormerTrees each : former) {
            if (each.tree().equals(hex)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a tree was in use here, and is no more. */
    public boolean hasDropped(TreeId id) {
        return dropped.contains(id.hex()) || former.stream().anyMatch(each -> each.has(id));
    }

    /** Whether a tree is in use here, or was before it was dropped. */
    boolean hasHad(TreeId id) {
        return hasDropped(id) || trees().anyMatch(id::equals);
    }

    /** All trees in use, and all that were. */
    Stream<TreeId> allTrees() {
        Stream<TreeId> before = Stream.concat(
                dropped.stream().map(TreeId::fromHex), former.stream().flatMap(FormerTrees::trees));
        return Stream.concat(trees(), before);
    }

    public Optional<IndexDefinition> index(String wanted) {
        return indexes.stream().filter(index -> index.name().equals(wanted)).findFirst();
    }

    /** @throws InvalidRequestException when the collection has no such index */
    public IndexDefinition requireIndex(String wanted) {
        return index(wanted)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND,
                        "the collection has no such index; check its name",
                        "collection",
                        name,
                        "index",
                        wanted));
    }

    public boolean isNewerThan(CollectionDefinition other) {
        return revision > other.revision;
    }

    /** Returns this definition with more indexes, at the next epoch, which must be their {@code added}. */
    public CollectionDefinition adding(List<IndexDefinition> more) {
        return next(epoch + 1, Stream.concat(indexes.stream(), more.stream()).toList(), dropped);
    }

    /**
     * Returns this definition with an index, at the next epoch, as one that was added and is still to be built: it has
     * all entries, and nobody scans it any more.
     *
     * @param pending of the index, if it has none yet
     */
    public CollectionDefinition retiring(IndexDefinition index, Supplier<TreeId> pending) {
        IndexDefinition retired = index.retired(epoch + 1, pending);
        return next(
                epoch + 1,
                indexes.stream()
                        .map(each -> each.isSameTree(index) ? retired : each)
                        .toList(),
                dropped);
    }

    /** Returns this definition without one of its indexes. */
    public CollectionDefinition dropping(IndexDefinition index) {
        List<String> gone = new ArrayList<>(dropped);
        index.trees().forEach(gone::add);
        return next(
                epoch + 1,
                indexes.stream().filter(each -> !each.isSameTree(index)).toList(),
                gone);
    }

    /** Returns this definition with the indexes replaced, or this very object when that changes nothing. */
    public CollectionDefinition changing(UnaryOperator<IndexDefinition> change) {
        List<IndexDefinition> changed = indexes.stream().map(change).toList();
        return changed.equals(indexes) ? this : next(epoch, changed, dropped);
    }

    private CollectionDefinition next(long nextEpoch, List<IndexDefinition> nextIndexes, List<String> nextDropped) {
        return next(draft -> {
            draft.epoch = nextEpoch;
            draft.indexes = nextIndexes;
            draft.dropped = nextDropped;
        });
    }

    /** Returns this definition as that of a dropped collection. */
    public CollectionDefinition dropping(long nowMillis) {
        return next(draft -> {
            draft.indexes = List.of();
            draft.former = formerUntil(nowMillis);
        });
    }

    /**
     * Returns this definition with new trees. Its leaves know of no index that was added later, so such an index must
     * be built again.
     */
    public CollectionDefinition emptying(Supplier<TreeId> trees, long nowMillis) {
        return next(draft -> {
            draft.indexes = indexes.stream().map(index -> index.emptied(trees)).toList();
            draft.tree = trees.get().hex();
            draft.former = formerUntil(nowMillis);
        });
    }

    /** Returns this definition, of a new collection, adjusted to reuse the name of a dropped collection. */
    CollectionDefinition after(CollectionDefinition gone) {
        return with(draft -> {
            draft.revision = gone.revision + 1;
            draft.epoch = Math.max(epoch, gone.epoch);
            draft.dropped = gone.dropped;
            draft.former = gone.former;
        });
    }

    private List<FormerTrees> formerUntil(long nowMillis) {
        List<String> others = indexes.stream().flatMap(IndexDefinition::trees).toList();
        return Stream.concat(former.stream(), Stream.of(new FormerTrees(tree, others, nowMillis)))
                .toList();
    }

    /**
     * Whether a client that declares {@code other} can use the collection. It can if the keys agree, the indexes that
     * both name agree, and the client knows all indexes that the collection was created with. Other indexes may have
     * been added or dropped since. A client that declares no compression, or no domain, can use any; what it declares
     * does not count where the compression was changed since.
     */
    private boolean agreesWith(CollectionDefinition other) {
        boolean same = other.indexes.stream()
                .allMatch(wanted -> index(wanted.name())
                        .map(stored -> stored.keys().equals(wanted.keys()))
                        .orElse(true));
        boolean whole = indexes.stream()
                .allMatch(stored ->
                        stored.added() > 0 || other.index(stored.name()).isPresent());
        boolean compressed = other.compression == null || other.compression.equals(compression) || hasChangedPages();
        boolean placed = other.domain == null || other.domain.equals(domain);
        return keys.equals(other.keys) && same && whole && compressed && placed;
    }

    /** @throws InvalidRequestException when a client that declares {@code wanted} cannot use the collection */
    CollectionDefinition agreeing(CollectionDefinition wanted) {
        if (!agreesWith(wanted)) {
            throw new InvalidRequestException(
                    ErrorCode.DEFINITION_MISMATCH,
                    "the collection is defined differently in the store; use its definition or another name",
                    "collection",
                    name,
                    "stored",
                    describe(),
                    "wanted",
                    wanted.describe());
        }
        return this;
    }

    private List<String> shape() {
        return indexes.stream()
                .map(index -> index.name() + ":" + index.keys() + (index.unique() ? ":unique" : ""))
                .sorted()
                .toList();
    }

    /** A readable form of what {@link #agreesWith} compares. */
    private String describe() {
        return "keys:" + keys + " indexes:" + shape() + " compression:"
                + compressedBy().label() + (domain == null ? "" : " domain:" + domain);
    }

    /** Returns this definition with something changed. */
    private CollectionDefinition with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.build();
    }

    /** Returns the next revision of this definition, with something changed. */
    CollectionDefinition next(Consumer<Draft> change) {
        return with(draft -> {
            draft.revision++;
            change.accept(draft);
        });
    }

    /** A definition on its way to the next one: what is not set stays as it was. For one thread. */
    static final class Draft {
        String name;
        String tree;
        List<IndexDefinition> indexes;
        long revision;
        long epoch;
        List<String> dropped;
        List<FormerTrees> former;

        @Nullable
        String compression;

        @Nullable
        String domain;

        @Nullable
        String moving;

        @Nullable
        OtherNames names;

        @Nullable
        OtherPages pages;

        long since;

        @Nullable
        Long raced;

        private final CollectionDefinition before;

        private Draft(CollectionDefinition before) {
            this.before = before;
            name = before.name();
            tree = before.tree();
            indexes = before.indexes();
            revision = before.revision();
            epoch = before.epoch();
            dropped = before.dropped();
            former = before.former();
            compression = before.compression();
            domain = before.domain();
            moving = before.moving();
            names = before.names();
            pages = before.pages();
            since = before.since();
            raced = before.raced();
        }

        private CollectionDefinition build() {
            return new CollectionDefinition(
                    before.format(),
                    name,
                    tree,
                    before.keys(),
                    before.pageBytes(),
                    indexes,
                    revision,
                    epoch,
                    dropped,
                    compression,
                    domain,
                    former,
                    moving,
                    names,
                    pages,
                    since,
                    raced);
        }
    }
}
