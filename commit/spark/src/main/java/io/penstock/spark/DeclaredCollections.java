package io.penstock.spark;

import io.penstock.Penstock;
import io.penstock.RecordCollection;

/**
 * The collections of a program, as driver and executors open them. The option {@code declared-by} names a public class
 * that implements this and has a public constructor without arguments. Safe for use by many threads.
 */
@FunctionalInterface
public interface DeclaredCollections {
    /**
     * Opens a collection with the codecs, indexes and fields that the program declares.
     *
     * @param store opened to be read only
     * @param name of the collection
     */
    RecordCollection<?, ?> open(Penstock store, String name);
}
