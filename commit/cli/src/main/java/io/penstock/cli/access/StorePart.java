package io.penstock.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Some collections of a store, by what the names of their objects and queues have. Pages, summaries and large payloads
 * have a tree in their name, commit logs have a domain. So the changes of collections in one domain cannot be told
 * apart.
 *
 * @param domains with their changes in their commit logs
 * @param trees with their records and index entries, 16 hexadecimal digits each
 */
public record StorePart(SortedSet<String> domains, SortedSet<String> trees) {
    /** The paths that every client reads: identity, definitions, and the signs of life of others. */
    private static final List<String> COMMON =
            List.of("catalog/*", "clients/*", "retired/*", "store", "store.copy", "trees/*");

    private static final List<String> OF_TREES = List.of("overflow/*", "pages/*", "parked/*", "roots/*", "summaries/*");

    private static final List<String> OF_DOMAINS = List.of("domains/*", "log/*");

    /** Returns a part with nothing in it. */
    public static StorePart empty() {
        return new StorePart(new TreeSet<>(), new TreeSet<>());
    }

    /**
     * Adds a collection.
     *
     * @param entry its definition, as the catalog has it
     * @throws CorruptDataException when this is no definition of it
     */
    public void add(String name, Bytes entry) {
        try {
            // A line with the checksum follows the definition.
            JsonNode definition = JsonMapper.builder().build().readTree(entry.toUtf8());
            if (definition.path("name").asText().equals(name)
                    && definition.path("format").asInt() == 1) {
                add(definition);
                return;
            }
        } catch (IOException e) {
            // told below
        }
        throw new CorruptDataException(
                ErrorCode.CATALOG_DAMAGED,
                "the catalog has no readable definition of the collection under this name; run verify, or give the name"
                        + " that it has now",
                "collection",
                name);
    }

    private void add(JsonNode definition) {
        trees.add(definition.path("tree").asText());
        for (JsonNode index : definition.path("indexes")) {
            trees.add(index.path("tree").asText());
            if (index.hasNonNull("pending")) {
                trees.add(index.path("pending").asText());
            }
        }
        if (definition.hasNonNull("domain")) {
            domains.add(definition.path("domain").asText());
        }
    }

    /** Narrows the name of a resource to those of this part; returns others as they are. */
    Stream<String> narrow(String resource, StoreLocation store) {
        for (String root : List.of(store.objectArn(""), store.logArn(""))) {
            if (resource.startsWith(root)) {
                return paths(resource.substring(root.length())).map(path -> root + path);
            }
        }
        for (String kind : List.of("lk", "pu")) {
            if (resource.equals(store.queueArn(kind))) {
                return trees.stream().map(tree -> resource + "-" + tree + "-*");
            }
        }
        return resource.equals(store.queueArn("in"))
                ? domains.stream().map(domain -> resource + "-" + domain)
                : Stream.of(resource);
    }

    private Stream<String> paths(String path) {
        if (path.equals("*")) {
            Stream<String> own =
                    Stream.of(OF_TREES, OF_DOMAINS).flatMap(List::stream).flatMap(this::paths);
            return Stream.concat(COMMON.stream(), own);
        }
        String folder = path.substring(0, Math.max(0, path.length() - 1));
        if (OF_TREES.contains(path)) {
            return trees.stream().map(tree -> folder + tree + (path.equals("roots/*") ? "" : "/*"));
        }
        if (OF_DOMAINS.contains(path)) {
            return domains.stream().map(domain -> folder + domain + (path.equals("log/*") ? "/*" : ""));
        }
        return Stream.of(path);
    }
}
