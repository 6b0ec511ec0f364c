package io.penstock.commit.engine;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A kind of objects that entries of leaves name, kept under a prefix of their own: what garbage collection has to know
 * of them. Safe for use by many threads.
 */
public interface NamedObjects {
    /** The prefix of the keys of all of them, and of no other key. */
    String prefix();

    /** The keys of those that a leaf names. */
    Stream<String> namedBy(PageImage leaf);

    /**
     * The keys of those that log records name which were parked, or put into quarantine.
     *
     * @param name of the message, for the error
     * @throws io.penstock.core.CorruptDataException when it is no message of a PU queue
     */
    Stream<String> namedBy(Bytes message, String name);

    /**
     * The least age at which one is removed when no leaf names it: longer than it takes from its writing until the last
     * log record that names it is applied, or in quarantine. Here age is a proof, so mind paused writers.
     */
    Duration ageMin();
}
