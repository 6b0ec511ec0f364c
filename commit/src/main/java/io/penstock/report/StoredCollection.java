package io.penstock.report;

import io.penstock.core.Compression;
import java.util.List;
import java.util.Optional;

/**
 * A collection as the store keeps its definition.
 *
 * @param domain the domain whose commit log its changes go through; empty when it is in none
 * @param keyTypes the names of the codecs of the key's parts, in order: one, unless the key is a pair
 * @param leafBytes the size at which leaves split
 * @param compression of the pages
 */
public record StoredCollection(
        String name,
        Optional<String> domain,
        List<String> keyTypes,
        int leafBytes,
        Compression compression,
        List<Index> indexes) {
    public StoredCollection {
        keyTypes = List.copyOf(keyTypes);
        indexes = List.copyOf(indexes);
    }

    /**
     * A secondary index.
     *
     * @param keyTypes the names of the codecs of the search key's parts, in order
     * @param unique whether it allows each search key for one record at most
     * @param ready whether it is built, so that it can be scanned
     */
    public record Index(String name, List<String> keyTypes, boolean unique, boolean ready) {
        public Index {
            keyTypes = List.copyOf(keyTypes);
        }
    }
}
