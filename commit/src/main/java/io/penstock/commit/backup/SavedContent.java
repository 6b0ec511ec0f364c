package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Span;
import io.penstock.commit.catalog.CatalogEntry;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.task.Parallel;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** The content of a cut in a place of backups. */
final class SavedContent implements Content {
    private final BackupPlace place;
    private final Cut cut;
    private final long atMillis;
    private final OverflowStore payloads;

    /** @param atMillis the moment whose state is wanted, in milliseconds since 1970; at most: all that the cut has */
    SavedContent(BackupPlace place, Cut cut, long atMillis) {
        this.place = place;
        this.cut = cut;
        this.atMillis = atMillis;
        this.payloads =
                new OverflowStore(place.objects(), place.tasks(), place.folder() + BackupPlace.base(cut.base()));
    }

    @Override
    public List<CollectionDefinition> collections() {
        return cut.collections().stream().map(this::definition).toList();
    }

    private CollectionDefinition definition(String name) {
        String entry = BackupPlace.definition(cut.base(), name);
        return place.read(entry, body -> CatalogEntry.decode(name, body, place.folder() + entry, null));
    }

    @Override
    public void ranges(Consumer<Chunk> to) {
        List<String> chunks = place.names(BackupPlace.records(cut.base()));
        if (chunks.size() != cut.chunks()) {
            throw BackupPlace.damaged(
                    "a backup has not as many objects as its cut says; restore an earlier one",
                    place.folder() + "base/" + cut.base());
        }
        var unused = Parallel.map(place.tasks(), BackupPlace.WIDTH, chunks, name -> {
            to.accept(place.read(name, Chunk::decode));
            return true;
        });
    }

    @Override
    public void transactions(Consumer<LogPart.Transaction> to) {
        cut.domains().values().forEach(span -> replay(span, to));
    }

    private void replay(Span span, Consumer<LogPart.Transaction> to) {
        for (String name : span.parts()) {
            for (LogPart.Transaction one : place.read(name, LogPart::decode).transactions()) {
                if (one.position() > span.base().segment() && one.millis() > atMillis) {
                    return;
                }
                if (one.position() <= span.to().segment()) {
                    to.accept(one);
                }
            }
        }
    }

    @Override
    public OverflowStore payloads() {
        return payloads;
    }

    @Override
    public void end(Collection<LogRecord> missing) {
        // A backup has no more than it has.
    }
}
