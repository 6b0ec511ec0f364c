package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import java.util.List;

/**
 * How items become a message. Pure.
 *
 * @param <T> what a sender gathers: log records, or parts of transactions
 */
interface MessageFormat<T> {
    /** An upper bound of a message's bytes without items. */
    int overheadBytesMax();

    /** An upper bound of what one item adds. */
    int bytesMax(T item);

    /** The most items one message may have. */
    int itemsMax();

    /** @param first the number of the first item among all that the sender has sent, from 1 on */
    Bytes encode(long first, List<T> items);
}
