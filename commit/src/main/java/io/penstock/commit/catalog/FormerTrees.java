package io.penstock.commit.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.penstock.core.TreeId;
import java.util.List;
import java.util.stream.Stream;

/**
 * The trees of a collection until it was dropped or emptied. Log records for them are discarded.
 *
 * @param tree of the primary index
 * @param others of the secondary indexes, and of pending entries
 * @param untilMillis the servers' time when it was dropped or emptied
 */
@JsonPropertyOrder({"tree", "others", "untilMillis"})
public record FormerTrees(
        String tree,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> others,
        long untilMillis) {
    public FormerTrees {
        TreeId.fromHex(tree);
        others = others == null ? List.of() : List.copyOf(others);
        others.forEach(TreeId::fromHex);
    }

    public Stream<TreeId> trees() {
        return Stream.concat(Stream.of(tree), others.stream()).map(TreeId::fromHex);
    }

    boolean has(TreeId id) {
        return tree.equals(id.hex()) || others.contains(id.hex());
    }
}
