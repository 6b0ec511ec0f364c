package io.penstock.core.pool.disk;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.pool.PageTier.Kept;
import io.penstock.testing.InlineTasks;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tier returns exactly what it was given, or nothing, whatever happened to its files. */
class DiskTierTest {
    private static final PageId A = id(1);
    private static final PageId B = id(2);
    private static final PageId C = id(3);
    private static final int HEADER_AND_VERSION = 32 + 2;

    @TempDir
    Path parent;

    private final InlineTasks tasks = new InlineTasks(1);
    private Path directory;
    private DiskTier tier;

    @BeforeEach
    void open() {
        directory = parent.resolve("tier");
        tier = DiskTier.open(directory, 1 << 20, tasks);
    }

    @AfterEach
    void close() {
        tier.close();
    }

    private void reopen(long bytesMax) {
        tier.close();
        tier = DiskTier.open(directory, bytesMax, tasks);
    }

    private static PageId id(long number) {
        return new PageId(new TreeId(0xfedcba9876543210L), number);
    }

    private static Kept kept(String content, String version) {
        return new Kept(Bytes.utf8(content), new ObjectVersion(version));
    }

    private Path file(PageId id) {
        return directory.resolve(TierFile.name(id));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory, 1, new FileVisitOption[0])) {
            return files.filter(file -> file.toString().contains(".page")).toList();
        }
    }

    private long bytesOnDisk() throws IOException {
        return files().stream().mapToLong(file -> file.toFile().length()).sum();
    }

    @Test
    void findsWhatWasKeptLast() {
        assertThat(tier.find(A)).isEmpty();
        tier.keep(A, kept("one", "v1"));
        tier.keep(B, kept("two", "v2"));
        assertThat(tier.find(A)).contains(kept("one", "v1"));
        tier.keep(A, kept("one, changed", "\"an-etag-with-more-characters\""));
        assertThat(tier.find(A)).contains(kept("one, changed", "\"an-etag-with-more-characters\""));
        tier.drop(A);
        assertThat(tier.find(A)).isEmpty();
        assertThat(tier.find(B)).contains(kept("two", "v2"));
        assertThat(tier.stats().hits()).isEqualTo(3);
        assertThat(tier.stats().misses()).isEqualTo(2);
        assertThat(tier.stats().bytesRead()).isEqualTo(3 + 12 + 3);
    }

    @Test
    void keepsEmptyPagesAndOddVersions() {
        tier.keep(A, kept("", ""));
        tier.keep(B, kept("body", "\u00e9\u4e2d"));
        tier.keep(C, kept("body", "v".repeat(2000)));
        assertThat(tier.find(A)).contains(kept("", ""));
        assertThat(tier.find(B)).contains(kept("body", "\u00e9\u4e2d"));
        assertThat(tier.find(C)).as("a version too long to keep").isEmpty();
    }

    @Test
    void survivesTheProcess() {
        tier.keep(A, kept("one", "v1"));
        tier.keep(B, kept("two", "v2"));
        reopen(1 << 20);
        assertThat(tier.stats().pages()).isEqualTo(2);
        assertThat(tier.find(A)).contains(kept("one", "v1"));
        assertThat(tier.find(B)).contains(kept("two", "v2"));
    }

    @Test
    void aFlippedByteAnywhereIsFoundOut() throws IOException {
        Kept page = kept("what the page holds", "v7");
        tier.keep(A, page);
        byte[] whole = Files.readAllBytes(file(A));
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            tier.keep(A, page);
            Files.write(file(A), flipped);
            assertThat(tier.find(A)).as("byte %d", at).isEmpty();
            assertThat(file(A)).as("byte %d", at).doesNotExist();
        }
        assertThat(tier.stats().damaged()).isEqualTo(whole.length);
        assertThat(tier.stats().bytes()).isZero();
    }

    @Test
    void aFileOfAnyOtherLengthIsFoundOut() throws IOException {
        Kept page = kept("what the page holds", "v7");
        tier.keep(A, page);
        byte[] whole = Files.readAllBytes(file(A));
        for (int length = 0; length <= whole.length + 40; length++) {
            if (length != whole.length) {
                tier.keep(A, page);
                Files.write(file(A), Arrays.copyOf(whole, length));
                assertThat(tier.find(A)).as("length %d", length).isEmpty();
            }
        }
    }

    @Test
    void aFileOfAnotherPageIsFoundOut() throws IOException {
        tier.keep(A, kept("one", "v1"));
        Files.copy(file(A), file(B));
        reopen(1 << 20);
        assertThat(tier.find(B)).isEmpty();
        assertThat(tier.find(A)).isPresent();
    }

    @Test
    void aTornWriteOfAnEarlierProcessIsThrownAway() throws IOException {
        tier.keep(A, kept("one", "v1"));
        tier.keep(B, kept("two", "v2"));
        byte[] whole = Files.readAllBytes(file(A));
        // Killed between the write and the rename; and a power cut, which may leave zeros under the final name.
        Files.write(directory.resolve(TierFile.name(A) + ".17"), Arrays.copyOf(whole, whole.length / 2));
        byte[] zeros = new byte[whole.length];
        System.arraycopy(whole, 0, zeros, 0, HEADER_AND_VERSION);
        Files.write(file(B), zeros);
        reopen(1 << 20);
        assertThat(tier.find(A)).contains(kept("one", "v1"));
        assertThat(tier.find(B)).isEmpty();
        assertThat(files()).containsExactly(file(A));
    }

    @Test
    void leavesFilesOfOthersAlone() throws IOException {
        Path notes = Files.writeString(directory.resolve("notes.txt"), "mine");
        Path similar = Files.writeString(directory.resolve("0123-4567.page"), "mine too");
        reopen(1 << 20);
        tier.keep(A, kept("one", "v1"));
        assertThat(notes).exists();
        assertThat(similar).exists();
        assertThat(tier.stats().pages()).isEqualTo(1);
    }

    @Test
    void neverTakesMoreThanItsBytes() throws IOException {
        for (long seed = 0; seed < 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long bytesMax = 2_000 + random.nextInt(4_000);
            reopen(bytesMax);
            assertThat(bytesOnDisk()).as("seed=%d after open", seed).isLessThanOrEqualTo(bytesMax);
            Map<PageId, Kept> newest = new HashMap<>();
            for (int i = 0; i < 120; i++) {
                PageId id = id(random.nextInt(30));
                if (random.nextInt(3) == 0) {
                    tier.find(id).ifPresent(found -> assertThat(found).isEqualTo(newest.getOrDefault(id, found)));
                } else {
                    Kept page = kept("x".repeat(random.nextInt(900)), "v" + i);
                    tier.keep(id, page);
                    newest.put(id, page);
                }
                assertThat(bytesOnDisk()).as("seed=%d step=%d", seed, i).isLessThanOrEqualTo(bytesMax);
                assertThat(tier.stats().bytes()).as("seed=%d step=%d", seed, i).isEqualTo(bytesOnDisk());
            }
            assertThat(tier.stats().evictions()).as("seed=%d", seed).isPositive();
        }
    }

    @Test
    void whatWasFoundStaysLonger() {
        reopen(3 * (HEADER_AND_VERSION + 100));
        Kept page = kept("x".repeat(100), "v1");
        tier.keep(A, page);
        tier.keep(B, page);
        tier.keep(C, page);
        assertThat(tier.find(A)).isPresent();
        tier.keep(id(4), page);
        assertThat(tier.find(A)).isPresent();
        assertThat(tier.find(B)).isEmpty();
        assertThat(tier.find(C)).isPresent();
    }

    @Test
    void theOldestGoFirstWhenThereIsLessRoomThanBefore() throws IOException {
        Kept page = kept("x".repeat(100), "v1");
        for (PageId id : List.of(A, B, C)) {
            tier.keep(id, page);
        }
        Files.setLastModifiedTime(file(A), FileTime.fromMillis(3_000));
        Files.setLastModifiedTime(file(B), FileTime.fromMillis(1_000));
        Files.setLastModifiedTime(file(C), FileTime.fromMillis(2_000));
        reopen(HEADER_AND_VERSION + 100);
        assertThat(files()).containsExactly(file(A));
    }

    @Test
    void aPageLargerThanTheTierIsNotKept() {
        reopen(1_000);
        tier.keep(A, kept("one", "v1"));
        tier.keep(B, kept("x".repeat(1_000), "v1"));
        assertThat(tier.find(B)).isEmpty();
        assertThat(tier.find(A)).isPresent();
    }

    @Test
    void hasOneOwnerAtATime() {
        assertThatThrownBy(() -> DiskTier.open(directory, 1 << 20, tasks))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.DIRECTORY_IN_USE));
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsRefusedInOneLine() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "mine");
        assertThatThrownBy(() -> DiskTier.open(file, 1 << 20, tasks))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.DISK_UNUSABLE))
                .hasNoCause();
    }

    @Test
    void aDiskThatRefusesWritesIsLeftAloneForAWhile() throws IOException {
        tier.keep(A, kept("one", "v1"));
        Path away = parent.resolve("away");
        Files.move(directory, away);
        assertThat(tier.find(A)).isEmpty();
        tier.keep(B, kept("two", "v2"));
        tier.keep(C, kept("three", "v3"));
        assertThat(tier.find(B)).isEmpty();
        assertThat(tier.stats().failures()).isEqualTo(1);
        Files.move(away, directory);
        tasks.advance(Duration.ofSeconds(11));
        tier.keep(B, kept("two", "v2"));
        assertThat(tier.find(B)).contains(kept("two", "v2"));
        assertThat(tier.stats().failures()).isEqualTo(1);
    }

    @Test
    void doesNothingOnceClosed() throws IOException {
        tier.keep(A, kept("one", "v1"));
        tier.close();
        tier.close();
        tier.keep(B, kept("two", "v2"));
        tier.drop(A);
        assertThat(tier.find(A)).isEmpty();
        assertThat(files()).containsExactly(file(A));
    }
}
