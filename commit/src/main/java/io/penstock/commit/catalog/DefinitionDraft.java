package io.penstock.commit.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A definition on its way to the next one: what is not set stays as it was. For one thread. */
final class DefinitionDraft {
    String name;
    String tree;
    List<IndexDefinition> indexes;
    long revision;
    long epoch;
    List<String> dropped;
    List<FormerTrees> former;

    @Nullable
    String compression;

    @Nullable
    String domain;

    @Nullable
    String moving;

    @Nullable
    OtherNames names;

    @Nullable
    OtherPages pages;

    long since;

    private final CollectionDefinition before;

    DefinitionDraft(CollectionDefinition before) {
        this.before = before;
        name = before.name();
        tree = before.tree();
        indexes = before.indexes();
        revision = before.revision();
        epoch = before.epoch();
        dropped = before.dropped();
        former = before.former();
        compression = before.compression();
        domain = before.domain();
        moving = before.moving();
        names = before.names();
        pages = before.pages();
        since = before.since();
    }

    /** Returns this draft as the next revision. */
    DefinitionDraft next() {
        revision++;
        return this;
    }

    CollectionDefinition build() {
        return new CollectionDefinition(
                before.format(),
                name,
                tree,
                before.keys(),
                before.pageBytes(),
                indexes,
                revision,
                epoch,
                dropped,
                compression,
                domain,
                former,
                moving,
                names,
                pages,
                since);
    }
}
