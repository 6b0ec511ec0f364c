package io.penstock;

import io.penstock.commit.index.IncludedPart;
import io.penstock.core.Bytes;
import java.util.Optional;
import java.util.function.Function;

/**
 * An index whose entries carry a part of their records, so that a scan reads no record: a page of a list then costs the
 * pages of the index alone.
 *
 * <p>Its rows are states that were committed, as the index's own pages show them. Two things distinguish them from the
 * records that {@link Index#scan} reads. Such a row may be older than its record, by as much as a checkpoint of one
 * tree may lag that of another. And an entry that a race has left over is found only by reading its record: here it
 * stays a row until {@link Admin#scrub}. Where the search key of a record never changes and records are not deleted, a
 * race leaves none. A session sees its own writes: rows that it has written of late are read from their records, and so
 * are rows without a part of this form.
 *
 * <p>Safe for use by many threads.
 */
public final class CoveringIndex<I, K, V, P> {
    private final Index<I, K, V> index;
    private final String form;
    private final PayloadCodec<P> codec;
    private final Function<? super V, ? extends P> part;

    CoveringIndex(Index<I, K, V> index, String form, PayloadCodec<P> codec, Function<? super V, ? extends P> part) {
        this.index = index;
        this.form = form;
        this.codec = codec;
        this.part = part;
    }

    /** The rows with this search key, in the order of their primary keys. */
    public Scan<Entry<K, P>> scan(I searchKey) {
        return index.read(reads -> new IndexReader<>(index, reads).scan(this, searchKey));
    }

    /** The rows of a span of search keys, in the order of these. */
    public Scan<Entry<K, P>> scan(KeySpan<? super I> span) {
        return index.read(reads -> new IndexReader<>(index, reads).scan(this, span));
    }

    Index<I, K, V> index() {
        return index;
    }

    /**
     * Encodes the part of a value that the index entry includes; empty when that is larger than {@code bytesMax} bytes.
     */
    Bytes include(V value, int bytesMax) {
        Bytes included = IncludedPart.encode(form, codec.encode(part.apply(value)));
        return included.length() <= bytesMax ? included : Bytes.EMPTY;
    }

    /** The part that an entry includes, if it is of this form. */
    Optional<P> included(Bytes included) {
        return IncludedPart.decode(form, included).map(codec::decode);
    }

    P partOf(V value) {
        return part.apply(value);
    }
}
