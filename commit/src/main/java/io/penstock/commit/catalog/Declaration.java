package io.penstock.commit.catalog;

import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The declarations that one handle makes of a collection before its first use, and the definition that the store has
 * from then on. Safe for use by many threads, except that declarations come first.
 */
public final class Declaration {
    private final Catalog catalog;
    private final Tasks tasks;
    private final String name;
    private final String keys;
    private final int pageBytes;
    private final @Nullable String defaultDomain;
    private final List<IndexDefinition> indexes = new ArrayList<>();
    private volatile Compression compression = Compression.NONE;
    private volatile @Nullable String domain;
    private volatile boolean used;

    /** The tree of the collection that was last seen to agree; null if nothing was declared, so that any does. */
    private volatile @Nullable String agreed;

    /**
     * @param keys the type of the keys
     * @param pageBytes of a new collection
     * @param defaultDomain the domain of a new collection for which none is declared; null for none
     */
    public Declaration(
            Catalog catalog, Tasks tasks, String name, String keys, int pageBytes, @Nullable String defaultDomain) {
        NameRule.require("collection", name);
        this.catalog = catalog;
        this.tasks = tasks;
        this.name = name;
        this.keys = keys;
        this.pageBytes = pageBytes;
        this.defaultDomain = defaultDomain;
    }

    /**
     * The newest known definition, about a minute old at most. On first use it is written to the store if the store has
     * none.
     *
     * @throws InvalidRequestException when the collection was dropped since
     */
    public CollectionDefinition definition() {
        if (!used) {
            CollectionDefinition wanted = wanted();
            CollectionDefinition there = catalog.define(wanted);
            agreed = there.agreeing(wanted.within(wantedDomain())).tree(); // by what others may just have made
            used = true;
        }
        return checked(catalog.inUse(name).orElseThrow(this::dropped));
    }

    /** Returns the definition as {@link #definition()} does, given the time by the monotonic clock. */
    public CollectionDefinition definition(long nowNanos) {
        return used ? checked(catalog.inUse(name, nowNanos).orElseThrow(this::dropped)) : definition();
    }

    /** The definition, read again if it was last read longer than {@code age} ago. */
    public CollectionDefinition within(Duration age) {
        var unused = definition();
        return checked(catalog.within(name, age).or(() -> catalog.inUse(name)).orElseThrow(this::dropped));
    }

    private CollectionDefinition checked(CollectionDefinition found) {
        String before = agreed;
        if (before != null && !before.equals(found.tree())) {
            agreed = found.agreeing(wanted()).tree();
        }
        return found.requireRestored();
    }

    private InvalidRequestException dropped() {
        return new InvalidRequestException(
                ErrorCode.NOT_FOUND, "the collection was dropped; open it again to make a new one", "collection", name);
    }

    /** Returns a definition once it notes which indexes include parts, by this declaration. */
    public CollectionDefinition noted(CollectionDefinition definition) {
        Set<String> including = indexes.stream()
                .filter(IndexDefinition::covering)
                .map(IndexDefinition::name)
                .collect(Collectors.toSet());
        return catalog.including(definition, including);
    }

    /**
     * Reads the definition, after a record that cannot be read and is to be replaced or deleted.
     *
     * @throws InvalidRequestException when entries may be rows, of whatever program: they would stay
     */
    public void requireNoRows() {
        CollectionDefinition newest = within(Duration.ZERO);
        if (newest.domain() != null && newest.indexes().stream().anyMatch(IndexDefinition::covering)) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "the record cannot be read here, so a covering index would keep its row; write it by a program that"
                            + " reads it, or drop that index first and build it again",
                    "collection",
                    name);
        }
    }

    /** Declares nothing: the collection is used as it is. */
    public void take() {
        used = true;
    }

    public void compressed(Compression by) {
        requireUnused("compression", by.label());
        compression = by;
    }

    public void domain(String value) {
        requireUnused("domain", value);
        domain = value;
    }

    /** @param searchKeys the type of the search keys */
    public void index(String index, String searchKeys) {
        requireUnused("an index", index);
        if (indexes.stream().anyMatch(each -> each.name().equals(index))) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the collection has an index of this name; choose another",
                    "collection",
                    name,
                    "index",
                    index);
        }
        indexes.add(new IndexDefinition(
                index, TreeId.draw(tasks.random(), name + "/" + index).hex(), searchKeys));
    }

    /** @throws InvalidRequestException when the collection is in use, or would belong to no domain */
    public void unique(String index) {
        requireUnused("a unique index", index);
        requireDomain("a unique index");
        indexes.replaceAll(each -> each.name().equals(index) ? each.onlyUnique() : each);
    }

    /** @throws InvalidRequestException when the collection is in use */
    public void including(String index, String form) {
        requireUnused("an included part", form);
        indexes.replaceAll(each -> each.name().equals(index) ? each.including() : each);
    }

    /** @throws InvalidRequestException when none is declared, and a new collection has none by default */
    public void requireDomain(String what) {
        if (domain == null && defaultDomain == null) {
            throw needsDomain(what);
        }
    }

    /** @throws InvalidRequestException when the collection is in use */
    public void requireUnused(String what, String which) {
        if (used) {
            throw new InvalidRequestException(
                    ErrorCode.DEFINITION_MISMATCH,
                    what + " is declared before the collection is first used; declare it when you open the collection",
                    "collection",
                    name,
                    "declared",
                    which);
        }
    }

    private CollectionDefinition wanted() {
        return definition(name, TreeId.draw(tasks.random(), name), keys, pageBytes, indexes)
                .withCompression(compression)
                .within(wantedDomain());
    }

    private InvalidRequestException needsDomain(String what) {
        return new InvalidRequestException(
                ErrorCode.DOMAIN_MISMATCH,
                what + " needs isolation, and that a domain; declare it before, or open the store at"
                        + " SNAPSHOT or SERIALIZABLE; a collection that has none is moved by Admin.moveInto",
                "collection",
                name);
    }

    /**
     * Returns the domain that is declared; without a declaration a collection is used as it is, wherever it moves, and
     * a new one made by default.
     */
    private @Nullable String wantedDomain() {
        if (domain != null || defaultDomain == null) {
            return domain;
        }
        Optional<CollectionDefinition> stored = catalog.inUse(name);
        if (stored.isEmpty()) {
            return defaultDomain;
        }
        if (stored.get().domain() == null && indexes.stream().anyMatch(IndexDefinition::unique)) {
            throw needsDomain("a unique index");
        }
        return null;
    }

    /** A definition to pass to {@link Catalog#define}. */
    public static CollectionDefinition definition(
            String name, TreeId tree, String keys, int pageBytes, List<IndexDefinition> indexes) {
        return new CollectionDefinition(
                CollectionDefinition.FORMAT,
                name,
                tree.hex(),
                keys,
                pageBytes,
                indexes,
                0,
                0,
                List.of(),
                null,
                null,
                List.of(),
                null,
                null,
                null,
                0,
                null);
    }
}
