package io.penstock.core.memory;

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
 * An external merge sort of any number of items by key in bounded memory. Items that do not fit are written to
 * temporary files as sorted runs, which are merged at the end. Of items with the same key the last that was added
 * stays. For one thread; closing removes the files.
 */
public final class ExternalSort implements AutoCloseable {
    /** An estimate of the memory that an item needs besides its bytes. */
    private static final int ITEM_OVERHEAD_BYTES = 120;

    /** The most files that are merged at a time, each with a buffer. */
    private static final int RUNS_MAX = 64;

    private static final Comparator<Item> BY_KEY = Comparator.comparing(Item::key);

    private final long memoryBytes;
    private final int runsMax;
    private List<Item> items = new ArrayList<>();
    private long bytes;
    private final List<RunFile> runs = new ArrayList<>();
    private @Nullable Path directory;
    private final List<RunFile.Cursor> cursors = new ArrayList<>();
    private int files;

    /** A record to sort: its payload, or an encoded reference to it. */
    public record Item(Bytes key, Bytes value, boolean isReference) {}

    /** @param memoryBytes roughly the most memory that items may use */
    public ExternalSort(long memoryBytes) {
        this(memoryBytes, RUNS_MAX);
    }

    ExternalSort(long memoryBytes, int runsMax) {
        this.memoryBytes = memoryBytes;
        this.runsMax = runsMax;
    }

    public void add(Bytes key, Bytes value, boolean isReference) {
        items.add(new Item(key, value, isReference));
        bytes += key.length() + value.length() + ITEM_OVERHEAD_BYTES;
        if (bytes > memoryBytes) {
            spill();
        }
    }

    /** Returns the items in key order, each key once. No item may be added after that. */
    public Iterator<Item> sorted() {
        if (runs.isEmpty()) {
            return sortedInMemory();
        }
        spill();
        mergeSurplus();
        return merged(runs);
    }

    private Iterator<Item> sortedInMemory() {
        // The sort is stable, so of items with the same key the last that was added comes last.
        items.sort(BY_KEY);
        return lastOfEach(items.iterator());
    }

    private void spill() {
        if (!items.isEmpty()) {
            runs.add(RunFile.write(newFile(), sortedInMemory()));
            items = new ArrayList<>();
            bytes = 0;
        }
    }

    /**
     * Merges neighbouring runs until all can be open at a time. Merges no more runs than it must, and each at most once
     * a pass: so a pass over the items divides the number of runs as far as it can.
     */
    private void mergeSurplus() {
        for (int at = 0; runs.size() > runsMax; at++) {
            if (runs.size() - at < 2) {
                at = 0;
            }
            int surplus = runs.size() - runsMax + 1;
            List<RunFile> neighbours = runs.subList(at, Math.min(runs.size(), at + Math.min(runsMax, surplus)));
            RunFile whole = RunFile.write(newFile(), merged(neighbours));
            closeCursors();
            neighbours.forEach(RunFile::delete);
            // The result takes their place, since of items with the same key that of the last run stays.
            neighbours.clear();
            runs.add(at, whole);
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

    private Iterator<Item> merged(List<RunFile> some) {
        some.forEach(run -> cursors.add(run.open()));
        return lastOfEach(new Merge(cursors));
    }

    /** Keeps only the last of successive items with the same key. */
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

    /** A merge of runs: all items by key, and those with the same key in the order of the runs. */
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

    /** The directory of the files, also after they were removed; null when there were none. */
    @Nullable
    Path directory() {
        return directory;
    }

    /** The number of files in use. */
    int runs() {
        return runs.size();
    }

    /** The number of files written so far. */
    int filesWritten() {
        return files;
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
