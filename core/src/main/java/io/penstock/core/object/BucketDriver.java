package io.penstock.core.object;

/**
 * A kind of buckets that {@link BucketAddress} opens by name. A module offers its driver to {@link
 * java.util.ServiceLoader}. Safe for use by many threads.
 */
public interface BucketDriver {
    /** The scheme of its addresses, such as {@code gs}. */
    String scheme();

    /** Opens the bucket with the credentials of the environment; see {@link BucketAddress#open}. */
    ObjectStore open(BucketAddress address);
}
