package io.penstock.core.pool.disk;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.TierStats;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link PageTier} in a directory: one file per page, written beside its place and renamed into it, with a checksum
 * over the whole file. Nothing is flushed: after {@code kill -9} every file is there; after a power cut some may be
 * torn, and the checksum shows it. Files, including those being written, never exceed the given bytes.
 *
 * <p>The directory has one owner at a time. Foreign files in it are left alone. Pages are written in the clear. Safe
 * for use by many threads; no lock is held across a file operation.
 */
public final class DiskTier implements PageTier {
    private static final Logger LOG = LoggerFactory.getLogger(DiskTier.class);

    /** The most pages being written at a time. Further pages are not kept, so that no work piles up on a slow disk. */
    private static final int WRITES_MAX = 64;

    /** The pause in writing after the disk refused a write. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final Path directory;
    private final Tasks tasks;
    private final DirectoryLock owned;
    private final TierIndex index;
    private final Permits writes;
    private final AtomicLong unfinished = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder damaged = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile long pausedUntilNanos;
    private volatile boolean refusing;
    private volatile boolean closed;

    private DiskTier(Path directory, long bytesMax, Tasks tasks, DirectoryLock owned) {
        this.directory = directory;
        this.tasks = tasks;
        this.owned = owned;
        this.index = new TierIndex(bytesMax);
        this.writes = new Permits(tasks, WRITES_MAX);
        this.pausedUntilNanos = tasks.nanoTime();
    }

    /**
     * Opens the tier in {@code directory}, creating it if it is missing, with the files of an earlier process. It
     * checks only their names and lengths.
     *
     * @throws InvalidRequestException when the directory has another owner, or cannot be used
     */
    public static DiskTier open(Path directory, long bytesMax, Tasks tasks) {
        try {
            Path real = Files.createDirectories(directory).toRealPath();
            DirectoryLock owned = DirectoryLock.take(real);
            DiskTier tier = new DiskTier(real, bytesMax, tasks, owned);
            try {
                tier.adopt();
                return tier;
            } catch (IOException | RuntimeException failure) {
                owned.close();
                throw failure;
            }
        } catch (IOException | UnavailableException e) {
            throw new InvalidRequestException(
                    ErrorCode.DISK_UNUSABLE,
                    "the directory of the disk tier cannot be used; see the cause, or choose another directory",
                    "directory",
                    directory,
                    "why",
                    e.getClass().getSimpleName());
        }
    }

    private record Left(PageId id, long bytes, long modifiedMillis) {}

    /** Takes over existing files, oldest first, so that the oldest are evicted first. */
    private void adopt() throws IOException {
        List<Left> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path path : (Iterable<Path>) files::iterator) {
                File file = path.toFile();
                PageId id = TierFile.page(file.getName());
                if (id != null) {
                    left.add(new Left(id, file.length(), file.lastModified()));
                } else if (TierFile.isUnfinished(file.getName())) {
                    Files.deleteIfExists(path);
                }
            }
        }
        left.sort(Comparator.comparingLong(Left::modifiedMillis).thenComparing(Left::id));
        left.forEach(file -> index.adopt(file.id, file.bytes));
        makeRoom();
    }

    @Override
    public Optional<Kept> find(PageId id) {
        Optional<Kept> found = !closed && index.touch(id) ? read(id) : Optional.empty();
        if (found.isEmpty()) {
            misses.increment();
            return found;
        }
        hits.increment();
        bytesRead.add(found.get().bytes().length());
        return found;
    }

    private Optional<Kept> read(PageId id) {
        byte[] file;
        // Not a channel: an interrupt of the caller would close it.
        try (FileInputStream in = new FileInputStream(file(id).toFile())) {
            file = in.readNBytes(ObjectRules.WHOLE_BYTES_MAX); // one that is longer fails its checks
        } catch (FileNotFoundException e) {
            remove(id);
            return Optional.empty();
        } catch (IOException e) {
            failures.increment();
            LOG.debug("a page cannot be read from the disk tier page={} why={}", id, e.getMessage());
            return Optional.empty();
        }
        Optional<Kept> kept = TierFile.read(id, file);
        if (kept.isEmpty()) {
            damaged.increment();
            LOG.warn("a file of the disk tier was damaged and is dropped page={} directory={}", id, directory);
            remove(id);
        }
        return kept;
    }

    @Override
    public boolean holds(PageId id) {
        return !closed && index.holds(id);
    }

    @Override
    public void keep(PageId id, Kept page) {
        boolean paused = tasks.nanoTime() - pausedUntilNanos < 0;
        long length = TierFile.length(page);
        if (closed || paused || length == 0 || !writes.tryAcquire()) {
            return;
        }
        if (!index.reserve(id, length)) {
            writes.release();
            return;
        }
        tasks.start("disk tier", () -> {
            boolean written = false;
            try {
                written = write(id, page);
            } finally {
                index.settle(id, length, written);
                writes.release();
            }
        });
    }

    private boolean write(PageId id, Kept page) {
        makeRoom();
        if (!index.hasRoom()) {
            return false;
        }
        Path written = directory.resolve(TierFile.name(id) + "." + unfinished.incrementAndGet());
        try {
            try (FileOutputStream out = new FileOutputStream(written.toFile())) {
                out.write(TierFile.header(id, page));
                out.write(
                        page.bytes().array(),
                        page.bytes().offset(),
                        page.bytes().length());
            }
            Files.move(written, file(id), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            refusing = false;
            return true;
        } catch (IOException e) {
            refused(e);
            delete(written);
            return false;
        }
    }

    /** Logs one line when the disk begins to refuse, not one per page. */
    private void refused(IOException why) {
        failures.increment();
        pausedUntilNanos = tasks.nanoTime() + PAUSE.toNanos();
        if (!refusing) {
            refusing = true;
            LOG.warn(
                    "the disk tier cannot be written; reads continue without it directory={} why={}",
                    directory,
                    why.getMessage());
        }
    }

    private void makeRoom() {
        for (PageId victim = index.evict(); victim != null; victim = index.evict()) {
            if (!removeBusy(victim)) {
                return;
            }
        }
    }

    @Override
    public void drop(PageId id) {
        if (!closed) {
            remove(id);
        }
    }

    private void remove(PageId id) {
        if (index.beginRemoval(id)) {
            removeBusy(id);
        }
    }

    private boolean removeBusy(PageId id) {
        boolean gone = delete(file(id));
        if (gone) {
            index.removed(id);
        } else {
            index.stays(id);
        }
        return gone;
    }

    private boolean delete(Path file) {
        try {
            Files.deleteIfExists(file);
            return true;
        } catch (IOException e) {
            failures.increment();
            LOG.debug("a file of the disk tier cannot be removed directory={} why={}", directory, e.getMessage());
            return false;
        }
    }

    private Path file(PageId id) {
        return directory.resolve(TierFile.name(id));
    }

    @Override
    public TierStats stats() {
        return new TierStats(
                hits.sum(),
                misses.sum(),
                bytesRead.sum(),
                damaged.sum(),
                index.evictions(),
                failures.sum(),
                index.pages(),
                index.bytes());
    }

    /** Waits for the pages being written, then releases the directory. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            for (int i = 0; i < WRITES_MAX; i++) {
                writes.acquire();
            }
        } catch (StoreException interrupted) {
            LOG.warn("the disk tier was closed while it was being written directory={}", directory);
        } finally {
            owned.close();
        }
    }
}
