package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.page.PageImage;
import io.penstock.core.task.Tasks;
import java.util.Optional;

/** Writes pages, and finds out what became of a write whose answer says nothing. Safe for use by many threads. */
record PageWrites(ObjectStore store, BufferPool pool, Tasks tasks, PageManager pages) {
    /** @param stored the bytes of the image's object */
    PageFrame put(PageImage image, Bytes stored, WriteCondition condition) {
        long now = pool.nanoTime(tasks);
        long begun = pool.mark();
        try {
            Written written = store.put(pages.objectKey(image.id()), stored, condition);
            return pages.take(new PageFrame(image, written.version(), now), begun);
        } catch (ConflictException | OutcomeUnknownException failure) {
            return resolve(image, condition, failure);
        }
    }

    private PageFrame resolve(PageImage image, WriteCondition condition, StoreException failure) {
        long begun = pool.mark();
        Optional<PageFrame> stored = readBack(image, failure);
        stored.ifPresent(found -> pool.offer(found, begun));
        if (stored.isEmpty()) {
            pool.forget(image.id(), pool.peek(image.id())); // it was retired, and is gone
        }
        if (stored.isPresent()
                && stored.get().image().header().writeId() == image.header().writeId()) {
            return stored.get();
        }
        if (condition instanceof WriteCondition.Always) {
            throw failure;
        }
        throw new ConflictException(
                "another writer changed the page first; read it again and repeat the change",
                failure,
                "key",
                pages.objectKey(image.id()),
                "version",
                image.version(),
                "found",
                stored.map(frame -> String.valueOf(frame.image().version())).orElse("none"));
    }

    private Optional<PageFrame> readBack(PageImage image, StoreException failure) {
        try {
            return pages.read(image.id());
        } catch (CorruptDataException damaged) {
            damaged.addSuppressed(failure);
            throw damaged;
        } catch (StoreException readFailure) {
            failure.addSuppressed(readFailure);
            // A refusal proves nothing by itself: it may answer a repeat of a write that took effect.
            throw new OutcomeUnknownException(
                    "a page write failed and the page cannot be read to find out whether it took effect; repeat the"
                            + " work, it is idempotent",
                    failure,
                    "key",
                    pages.objectKey(image.id()),
                    "version",
                    image.version());
        }
    }
}
