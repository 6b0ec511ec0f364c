package io.penstock.commit.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.penstock.core.object.ObjectVersion;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The links between the catalog entries of a renamed collection: from the entry of its present name to its former
 * names, and from the entry of each former name to the present one. An entry that says {@code to} is a forwarding
 * address. It is in force once the entry it names says {@code from}. Until then the collection still has its old name,
 * and its old entry is its definition.
 *
 * @param from the names that lead here, oldest first
 * @param to the name that the collection has now; null in its own entry
 * @param over the tag of the version that the entry of {@code to} must have to be replaced; null: there must be none
 * @param settled whether the entry of {@code to} was written, so that nothing of the collection is left here
 */
@JsonPropertyOrder({"from", "to", "over", "settled"})
record OtherNames(
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> from,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String to,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String over,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean settled) {
    private static final OtherNames NONE = new OtherNames(List.of(), null, null, false);

    OtherNames {
        from = from == null ? List.of() : List.copyOf(from);
        Stream.concat(from.stream(), Stream.ofNullable(to))
                .filter(name -> !NameRule.allows(name))
                .findAny()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("name=" + name);
                });
    }

    static OtherNames of(CollectionDefinition definition) {
        return definition.names() == null ? NONE : definition.names();
    }

    /** Whether a version is the one that is to be replaced. */
    boolean replaces(@Nullable ObjectVersion version) {
        return Objects.equals(over, version == null ? null : version.tag());
    }

    /** Returns the links for the collection's own entry: only those to former names. */
    OtherNames ofTarget() {
        return new OtherNames(from, null, null, false);
    }
}
