package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Span;
import io.penstock.commit.catalog.CatalogEntry;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Parallel;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The content of a cut in a place of backups. */
final class SavedContent implements Content {
    private final BackupPlace place;
    private final Cut cut;
    private final long atMillis;
    private final String overflows;
    private final Set<String> payloads;

    /** @param atMillis the moment whose state is wanted, in milliseconds since 1970; at most: all that the cut has */
    SavedContent(BackupPlace place, Cut cut, long atMillis) {
        this.place = place;
        this.cut = cut;
        this.atMillis = atMillis;
        this.overflows = BackupPlace.payloads(cut.base());
        this.payloads = Set.copyOf(place.names(overflows));
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
    public long payload(String object, ObjectStore to, String key) {
        return payloads.contains(overflows + object)
                ? BackupPlace.copy(place.objects(), place.folder() + overflows + object, to, key)
                : 0;
    }

    @Override
    public void end(long missing) {
        // A backup has no more than it has.
    }
}
