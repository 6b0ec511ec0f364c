package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import java.util.List;

/**
 * An encoding of items as a message. Pure.
 *
 * @param <T> the items that a sender gathers: log records, or parts of transactions
 */
interface MessageFormat<T> {
    /** An upper bound of the bytes of a message without its items. */
    int overheadBytesMax();

    /** An upper bound of the bytes that one item adds. */
    int bytesMax(T item);

    /** The most items that one message may have. */
    int itemsMax();

    /**
     * Encodes {@code items} as one message.
     *
     * @param first the number of the first item among all that the sender has sent, counted from 1
     */
    Bytes encode(long first, List<T> items);
}
