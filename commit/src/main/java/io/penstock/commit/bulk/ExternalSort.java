package io.penstock.commit.bulk;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts any number of items by key in bounded memory: what does not fit is written to temporary files, sorted runs that
 * are merged in the end. Of items with one key the last that was added stays. For one thread; closing removes the
 * files.
 */
public final class ExternalSort implements AutoCloseable {
    /** What an item costs beside its bytes, roughly. */
    private static final int ITEM_OVERHEAD_BYTES = 120;

    /** Files that are merged at a time. */
    private static final int RUNS_MAX = 64;

    private static final Comparator<Item> BY_KEY = Comparator.comparing(Item::key);

    private final long memoryBytes;
    private List<Item> items = new ArrayList<>();
    private long bytes;
    private final List<RunFile> runs = new ArrayList<>();
    private @Nullable Path directory;
    private final List<RunFile.Cursor> cursors = new ArrayList<>();
    private int files;

    /** A record on its way: its payload, or an encoded reference to it. */
    public record Item(Bytes key, Bytes value, boolean isReference) {}

    /** @param memoryBytes how much of the items is kept in memory, roughly */
    public ExternalSort(long memoryBytes) {
        this.memoryBytes = memoryBytes;
    }

    public void add(Bytes key, Bytes value, boolean isReference) {
        items.add(new Item(key, value, isReference));
        bytes += key.length() + value.length() + ITEM_OVERHEAD_BYTES;
        if (bytes > memoryBytes) {
            spill();
        }
    }

    /** The items in the order of their keys, each key once. No item may be added any more. */
    public Iterator<Item> sorted() {
        if (runs.isEmpty()) {
            return sortedInMemory();
        }
        spill();
        return merged();
    }

    private Iterator<Item> sortedInMemory() {
        // A stable sort, so of one key the last added is the last of its kind.
        items.sort(BY_KEY);
        return lastOfEach(items.iterator());
    }

    private void spill() {
        if (!items.isEmpty()) {
            runs.add(RunFile.write(newFile(), sortedInMemory()));
            items = new ArrayList<>();
            bytes = 0;
        }
        if (runs.size() == RUNS_MAX) {
            RunFile whole = RunFile.write(newFile(), merged());
            closeCursors();
            runs.forEach(RunFile::delete);
            runs.clear();
            runs.add(whole);
        }
    }

    private Path newFile() {
        try {
            Path made = directory == null ? Files.createTempDirectory("penstock-load") : directory;
            directory = made;
            return made.resolve("run-" + files++);
        } catch (IOException e) {
            throw new UnavailableException(
                    "no directory for temporary files can be made; see java.io.tmpdir and the cause", e);
        }
    }

    private Iterator<Item> merged() {
        runs.forEach(run -> cursors.add(run.open()));
        return lastOfEach(new Merge(cursors));
    }

    /** Of neighbours with one key the last. */
    private static Iterator<Item> lastOfEach(Iterator<Item> sorted) {
        return new Iterator<>() {
            private @Nullable Item ahead = sorted.hasNext() ? sorted.next() : null;

            @Override
            public boolean hasNext() {
                return ahead != null;
            }

            @Override
            public Item next() {
                Item last = ahead;
                if (last == null) {
                    throw new NoSuchElementException();
                }
                ahead = sorted.hasNext() ? sorted.next() : null;
                while (ahead != null && ahead.key.equals(last.key)) {
                    last = ahead;
                    ahead = sorted.hasNext() ? sorted.next() : null;
                }
                return last;
            }
        };
    }

    /** All items of some runs, by key, and those of one key in the order of the runs. */
    private static final class Merge implements Iterator<Item> {
        private final PriorityQueue<Source> sources = new PriorityQueue<>(
                Comparator.comparing((Source source) -> source.item.key).thenComparing(source -> source.run));

        private record Source(Item item, int run, RunFile.Cursor cursor) {}

        Merge(List<RunFile.Cursor> runs) {
            for (int run = 0; run < runs.size(); run++) {
                offer(run, runs.get(run));
            }
        }

        private void offer(int run, RunFile.Cursor cursor) {
            Item item = cursor.item();
            if (item != null) {
                sources.add(new Source(item, run, cursor));
            }
        }

        @Override
        public boolean hasNext() {
            return !sources.isEmpty();
        }

        @Override
        public Item next() {
            Source first = sources.remove();
            first.cursor.advance();
            offer(first.run, first.cursor);
            return first.item;
        }
    }

    /** Where the files are or were; null when there were none. */
    @Nullable
    Path directory() {
        return directory;
    }

    /** How many files are in use. */
    int runs() {
        return runs.size();
    }

    private void closeCursors() {
        cursors.forEach(RunFile.Cursor::close);
        cursors.clear();
    }

    @Override
    public void close() {
        closeCursors();
        items = Collections.emptyList();
        runs.forEach(RunFile::delete);
        runs.clear();
        if (directory != null) {
            try {
                Files.deleteIfExists(directory);
            } catch (IOException e) {
                throw new UnavailableException(
                        "a directory of temporary files cannot be removed; remove it", e, "directory", directory);
            }
        }
    }
}
