package io.penstock.commit.catalog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.penstock.core.TreeId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index: its tree, and the type of its search keys.
 *
 * @param added the epoch at which it was added; 0: with the collection
 * @param pending a tree with the primary keys of records whose writers did not know the index, so that their
 *     entries are still to be written; none when {@code added} is 0
 * @param built per cent of the records that are indexed; null: all, so the index can be used
 * @param unique whether no two records may have the same search key
 * @param covering whether entries may include a part of their records, so that they are rows in a domain
 */
@JsonPropertyOrder({"name", "tree", "keys", "added", "pending", "built", "unique", "covering"})
public record IndexDefinition(
        String name,
        String tree,
        String keys,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long added,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String pending,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer built,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean unique,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean covering) {
    /** The {@code built} of a unique index that has all its entries, and is not known yet to be unique. */
    private static final int UNPROVEN = 100;

    /** An index that its collection is created with. */
    public IndexDefinition(String name, String tree, String keys) {
        this(name, tree, keys, 0, null, null);
    }

    /** An index that allows a search key for many records. */
    public IndexDefinition(
            String name, String tree, String keys, long added, @Nullable String pending, @Nullable Integer built) {
        this(name, tree, keys, added, pending, built, false, false);
    }

    /** Returns this index as a unique one: each search key belongs to one record at most. */
    public IndexDefinition onlyUnique() {
        return new IndexDefinition(name, tree, keys, added, pending, built, true, covering);
    }

    /** Returns this index as one that allows a search key for many records. */
    public IndexDefinition ordinary() {
        return new IndexDefinition(name, tree, keys, added, pending, null, false, covering);
    }

    /** Returns this index as one whose entries may include a part of their records. */
    public IndexDefinition including() {
        return new IndexDefinition(name, tree, keys, added, pending, built, unique, true);
    }

    /** Returns this index as one that has all its entries; a unique one is still to be proven to be so. */
    public IndexDefinition whole() {
        return withBuilt(unique ? UNPROVEN : null);
    }

    public IndexDefinition {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(keys, "keys");
        TreeId.fromHex(tree);
        if (pending != null) {
            TreeId.fromHex(pending);
        }
    }

    public TreeId treeId() {
        return TreeId.fromHex(tree);
    }

    public Optional<TreeId> pendingTree() {
        return Optional.ofNullable(pending).map(TreeId::fromHex);
    }

    @JsonIgnore
    public boolean isReady() {
        return built == null || unique && built == UNPROVEN;
    }

    /** Whether {@code other} is this index, rather than another one of the same name. */
    public boolean isSameTree(IndexDefinition other) {
        return tree.equals(other.tree);
    }

    /** Whether {@code other} is this index, and it was not retired in between. */
    public boolean isSameBuild(IndexDefinition other) {
        return isSameTree(other) && added == other.added;
    }

    public IndexDefinition withBuilt(@Nullable Integer percent) {
        return new IndexDefinition(name, tree, keys, added, pending, percent, unique, covering);
    }

    /**
     * Returns this index as that of a collection that is restored: one that was added later is to be built, and proven
     * to be unique after that.
     */
    IndexDefinition restored() {
        return added == 0 ? this : new IndexDefinition(name, tree, keys, added, pending, 0, false, covering);
    }

    /** Returns this index as one that was added at an epoch, and is to be built. */
    IndexDefinition retired(long epoch, Supplier<TreeId> newPending) {
        String kept = pending == null ? newPending.get().hex() : pending;
        return new IndexDefinition(name, tree, keys, epoch, kept, 0, unique, covering);
    }

    /** Returns this index with new trees; one that was added later is to be built. */
    IndexDefinition emptied(Supplier<TreeId> trees) {
        String empty = trees.get().hex();
        return added == 0
                ? new IndexDefinition(name, empty, keys, 0, null, null, unique, covering)
                : new IndexDefinition(name, empty, keys, added, trees.get().hex(), 0, unique, covering);
    }

    Stream<String> trees() {
        return Stream.of(tree, pending).filter(Objects::nonNull);
    }
}
