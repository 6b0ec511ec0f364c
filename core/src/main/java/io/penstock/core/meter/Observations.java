package io.penstock.core.meter;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The work of a client as observations of Micrometer: its commits, checkpoints and page fetches, with their time, their
 * failure and, where the same thread does both, their parent. Names and tags are in {@code docs/OPERATIONS.md}.
 *
 * <p>Safe for use by many threads.
 */
public final class Observations {
    /** The observations that no observer sees. */
    public static final Observations NONE = new Observations(ObservationRegistry.NOOP, tree -> Optional.empty());

    private static final String COLLECTION = "collection";
    private static final String DOMAIN = "domain";

    /** The value of a tag that a checkpoint has no use for: all observations of a name have the same tags. */
    private static final String NO_VALUE = "none";

    private final ObservationRegistry registry;
    private final Function<TreeId, Optional<String>> collections;

    /** @param collections the name of the collection that a tree belongs to, as far as it is known without a request */
    public Observations(ObservationRegistry registry, Function<TreeId, Optional<String>> collections) {
        this.registry = registry;
        this.collections = collections;
    }

    /** Whether there is no observer. */
    public boolean isOff() {
        return registry.isNoop();
    }

    public <T> T commit(String level, Supplier<T> commit) {
        return isOff() ? commit.get() : observed("penstock.commit", KeyValues.of("level", level), commit);
    }

    /** A checkpoint of a PU queue of a tree. */
    public <T> T checkpoint(TreeId tree, Supplier<T> checkpoint) {
        return isOff()
                ? checkpoint.get()
                : observed("penstock.checkpoint", KeyValues.of(COLLECTION, name(tree), DOMAIN, NO_VALUE), checkpoint);
    }

    /** A checkpoint of the commit log of a domain. */
    public <T> T checkpoint(String domain, Supplier<T> checkpoint) {
        return isOff()
                ? checkpoint.get()
                : observed("penstock.checkpoint", KeyValues.of(COLLECTION, NO_VALUE, DOMAIN, domain), checkpoint);
    }

    /** @param part the part of the client that needs the page, as in {@link RequestMeters} */
    public <T> T fetch(String part, PageId page, Supplier<T> fetch) {
        return isOff()
                ? fetch.get()
                : observed("penstock.page.fetch", KeyValues.of(COLLECTION, name(page.tree()), "part", part), fetch);
    }

    private String name(TreeId tree) {
        return collections.apply(tree).orElse(NO_VALUE);
    }

    private <T> T observed(String name, KeyValues tags, Supplier<T> work) {
        return Observation.createNotStarted(name, registry)
                .lowCardinalityKeyValues(tags)
                .observe(work);
    }
}
