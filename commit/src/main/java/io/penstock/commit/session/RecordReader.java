package io.penstock.commit.session;

import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** The one way into a read of records: what a transaction has written itself hides what is below it. */
public interface RecordReader {
    /** The payload of a live record. */
    Optional<Bytes> find(TreeId tree, Bytes key, WriteSet writes);

    /**
     * Finds the payloads of many keys, in their order: each leaf is read once, several at a time. Large payloads are
     * read when they are asked for, so that not all of them need be in memory.
     */
    List<Supplier<Optional<Bytes>>> findAll(TreeId tree, List<Bytes> keys, WriteSet writes);

    /** The content of a live record: of a large payload its references. */
    Optional<Content> content(TreeId tree, Bytes key, WriteSet writes);

    /** A range of the payload of a live record as a stream; a large one is read as the stream is. */
    Optional<InputStream> open(TreeId tree, Bytes key, ByteRange range, WriteSet writes);

    /** The large payload of a record that a scan came by; empty when it was deleted meanwhile. */
    Optional<Bytes> large(TreeId tree, Bytes key, Bytes reference, WriteSet writes);

    /** The live records of a range, in order. */
    RecordScan scan(TreeId tree, KeyRange range, Direction direction, WriteSet writes);

    /**
     * Begins to find out which leaves are as they were when something was learnt of them.
     *
     * @param range that has all of these leaves
     * @param pages the number of pages of the tree, roughly; 0 when it is not known
     */
    Unchanged unchanged(TreeId tree, KeyRange range, long pages, WriteSet writes);

    /** Whether {@link #unchanged} needs no request. */
    boolean isListed(TreeId tree);

    /** A finding of unchanged leaves that has begun. For one thread. */
    interface Unchanged {
        /**
         * Those of some leaves that are as they were, and in whose ranges the reader sees no change besides: they count
         * as read.
         */
        List<KnownLeaf> among(List<KnownLeaf> leaves);
    }

    /**
     * Starts to read the leaf that a scan of a range will begin with, and the pages on the way to it.
     *
     * @param leaf the number of its page; {@link io.penstock.core.PageId#NONE} if it is not known
     */
    void prefetch(TreeId tree, KeyRange range, Direction direction, long leaf);

    /**
     * Begins to read by an index of a collection.
     *
     * @return the time, as of {@link io.penstock.core.task.Timekeeper#nanoTime}, before which the definition of the
     *     collection must not have been read; empty where any will do
     */
    OptionalLong enterIndex(TreeId collection);

    /**
     * The keys of records whose writers did not know an index, so that entries of the index are missing or left over:
     * those of these writes, those that no page is sure to show yet, and those that are noted as pending.
     */
    Set<Bytes> unindexed(AddedIndex index, WriteSet writes);
}
