package io.penstock.commit.engine;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;

/**
 * The facts about a collection that follow from its definition and never change.
 *
 * @param tree of its records
 * @param keyBytesMax the longest key
 * @param entryBytesMax the longest key of an index entry
 * @param includedBytesMax the largest part of a record that an index entry includes
 */
public record CollectionFacts(
        CollectionDefinition definition, TreeId tree, int keyBytesMax, int entryBytesMax, int includedBytesMax) {
    /** The share of a page that an entry of an index may include of its record. */
    private static final int INCLUDED_SHARE = 16;

    /** @param keyBytesMax the longest key of any collection */
    public static CollectionFacts of(CollectionDefinition definition, int keyBytesMax) {
        TreeSettings settings = Trees.settings(definition);
        return new CollectionFacts(
                definition,
                definition.treeId(),
                Math.min(keyBytesMax, settings.keyBytesMax()),
                settings.keyBytesMax(),
                definition.pageBytes() / INCLUDED_SHARE);
    }

    /** @throws InvalidRequestException when the key is empty, or too long for a record */
    public void requireKey(Bytes key) {
        requireFits(key, keyBytesMax);
    }

    /** Refuses the key of an index entry that no page could hold. */
    public void requireEntryKey(Bytes key) {
        requireFits(key, entryBytesMax);
    }

    private void requireFits(Bytes key, int bytesMax) {
        if (key.isEmpty() || key.length() > bytesMax) {
            throw new InvalidRequestException(
                    key.isEmpty() ? ErrorCode.INVALID_ARGUMENT : ErrorCode.TOO_LARGE,
                    key.isEmpty() ? "a key is empty; choose another" : "a key is too long; choose another",
                    "collection",
                    definition.name(),
                    "keyBytes",
                    key.length(),
                    "keyBytesMax",
                    bytesMax);
        }
    }
}
