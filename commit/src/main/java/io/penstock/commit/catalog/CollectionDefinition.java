package io.penstock.commit.catalog;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.penstock.core.TreeId;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A collection as the catalog keeps it, as JSON under {@code catalog/<name>.json}.
 *
 * @param format 1
 * @param tree of the primary index, 16 hexadecimal digits
 * @param keys what the keys are, as {@code KeyCodec.name} says it
 * @param pageBytes the size at which pages of its trees split
 */
@JsonPropertyOrder({"format", "name", "tree", "keys", "pageBytes", "indexes"})
public record CollectionDefinition(
        int format, String name, String tree, String keys, int pageBytes, List<IndexDefinition> indexes) {
    static final int FORMAT = 1;

    /** A secondary index: its tree, and what its search keys are. */
    @JsonPropertyOrder({"name", "tree", "keys"})
    public record IndexDefinition(String name, String tree, String keys) {
        public IndexDefinition {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(keys, "keys");
            TreeId.fromHex(tree);
        }

        public TreeId treeId() {
            return TreeId.fromHex(tree);
        }
    }

    /** Refuses what is no definition, so that a damaged entry of the catalog is found when it is read. */
    public CollectionDefinition {
        indexes = List.copyOf(indexes);
        Objects.requireNonNull(keys, "keys");
        TreeId.fromHex(tree);
        if (pageBytes < 512 || pageBytes > 1 << 20) {
            throw new IllegalArgumentException("pageBytes=" + pageBytes);
        }
    }

    public TreeId treeId() {
        return TreeId.fromHex(tree);
    }

    /** The trees of the primary index and of all secondary ones. */
    public Stream<TreeId> trees() {
        return Stream.concat(Stream.of(treeId()), indexes.stream().map(IndexDefinition::treeId));
    }

    /** Whether two definitions mean the same collection: all but the numbers of trees and the size of pages. */
    boolean agreesWith(CollectionDefinition other) {
        return keys.equals(other.keys) && shape().equals(other.shape());
    }

    private List<String> shape() {
        return indexes.stream()
                .map(index -> index.name + ":" + index.keys)
                .sorted()
                .toList();
    }

    /** For messages: what {@link #agreesWith} compares. */
    String describe() {
        return "keys:" + keys + " indexes:" + shape();
    }
}
