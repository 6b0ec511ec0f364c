package io.penstock.core.object.local;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalObjectStoreTest extends ObjectStoreContract {
    @TempDir
    Path directory;

    private final Tasks tasks = new ShiftedTasks();
    private LocalObjectStore store;

    @BeforeEach
    void open() {
        store = LocalObjectStore.open(directory.resolve("objects"), tasks, Durability.OS_CACHE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Test
    void objectsOutliveTheHandle() {
        try (LocalObjectStore first = LocalObjectStore.open(directory, tasks)) {
            first.put("a/b", Bytes.utf8("kept"), WriteCondition.ALWAYS);
        }
        try (LocalObjectStore second = LocalObjectStore.open(directory, tasks)) {
            assertThat(second.get("a/b").orElseThrow().body().toUtf8()).isEqualTo("kept");
        }
    }

    /** What a read shows, or finds to be done, survives a power cut, though a flush had failed. */
    @Test
    void whatWasNotFlushedIsFlushedBeforeItCounts() {
        AtomicBoolean fails = new AtomicBoolean();
        AtomicInteger flushes = new AtomicInteger();
        FileAccess disk = new FileAccess() {
            @Override
            public void flushDirectory(Path of) throws IOException {
                if (fails.get()) {
                    throw new IOException("Input/output error");
                }
                flushes.incrementAndGet();
            }
        };
        try (LocalObjectStore own = LocalObjectStore.open(directory, tasks, Durability.FLUSHED, disk)) {
            own.put("a/b", Bytes.utf8("kept"), WriteCondition.ALWAYS);
            fails.set(true);
            assertThatThrownBy(() -> own.put("a/c", Bytes.utf8("kept"), WriteCondition.IF_ABSENT))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThatThrownBy(() -> own.get("a/c")).isInstanceOf(UnavailableException.class);
            assertThatThrownBy(() -> own.list("", "", 10)).isInstanceOf(UnavailableException.class);
            fails.set(false);
            int before = flushes.get();
            assertThat(own.get("a/c")).isPresent();
            assertThat(flushes).hasValue(before + 1);
            assertThat(own.get("a/c")).isPresent();
            assertThat(flushes).hasValue(before + 1);
        }
    }

    @Test
    void unfinishedFilesAreRemovedAtOpen() throws IOException {
        Path left = directory.resolve("objects/unfinished/0123456789abcdef");
        Files.writeString(left, "half");
        LocalObjectStore.open(directory.resolve("objects"), tasks).close();
        assertThat(left).doesNotExist();
    }

    @Test
    void lostRacersLeaveNoFiles() {
        racingIfAbsentHasOneWinner();
        assertThat(directory.resolve("objects/unfinished")).isEmptyDirectory();
    }

    @Test
    void foreignFilesAreNotListed() throws IOException {
        Files.writeString(directory.resolve("objects/.DS_Store"), "x");
        Files.writeString(directory.resolve("objects/%zz.o"), "x");
        Files.writeString(directory.resolve("objects/file.d"), "x");
        store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS);
        assertThat(store.list("", "", 10).entries()).extracting("key").containsExactly("a");
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        store.put("a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        Path file = onlyFile();
        byte[] good = Files.readAllBytes(file);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, bad);
            assertThatThrownBy(() -> store.get("a"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("file=" + file);
        }
        Files.write(file, good);
        assertThat(store.get("a").orElseThrow().body().toUtf8()).isEqualTo("body");
    }

    @Test
    void anotherFormatSaysWhatToDo() throws IOException {
        store.put("a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        byte[] other = Files.readAllBytes(onlyFile());
        other[5] = 2;
        Files.write(onlyFile(), other);
        assertThatThrownBy(() -> store.get("a"))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OTHER_RELEASE));
        assertThat(store.list("", "", 1).entries()).hasSize(1);
    }

    @Test
    void cutOffFileIsFound() throws IOException {
        store.put("a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        Path file = onlyFile();
        store.put("b", Bytes.utf8("another"), WriteCondition.ALWAYS);
        byte[] good = Files.readAllBytes(file);
        for (int length : List.of(0, 10, ObjectHeader.BYTES, good.length - 1)) {
            Files.write(file, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> store.get("a")).isInstanceOf(CorruptDataException.class);
            assertThat(store.list("", "", 2).entries()).hasSize(2); // it hides no other object
            assertThat(store.get("b")).isPresent();
            assertThatThrownBy(() -> store.put("a", Bytes.EMPTY, WriteCondition.IF_ABSENT))
                    .isInstanceOf(CorruptDataException.class);
        }
        Files.write(file, good);
        Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> store.get("a")).isInstanceOf(CorruptDataException.class);
        store.put("a", Bytes.utf8("mended"), WriteCondition.ALWAYS);
        assertThat(store.get("a").orElseThrow().body().toUtf8()).isEqualTo("mended");
    }

    @Test
    void unreadableFileIsUnavailable() throws IOException {
        store.put("a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        Path file = onlyFile();
        Files.delete(file);
        Files.createDirectory(file);
        assertThatThrownBy(() -> store.get("a")).isInstanceOf(UnavailableException.class);
    }

    @Test
    void failedWriteIsUnavailableAndLeavesTheOldObject() throws IOException {
        store.put("a", Bytes.utf8("old"), WriteCondition.ALWAYS);
        Path unfinished = directory.resolve("objects/unfinished");
        Files.delete(unfinished);
        assertThatThrownBy(() -> store.put("a", Bytes.utf8("new"), WriteCondition.ALWAYS))
                .isInstanceOf(UnavailableException.class);
        assertThat(store.get("a").orElseThrow().body().toUtf8()).isEqualTo("old");
        Files.createDirectory(unfinished);
    }

    @Test
    void refusesHalfASurrogatePairAndBadArguments() {
        assertThatThrownBy(() -> store.get("\ud83d")).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> store.getRange("a", -1, 1)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> store.getRange("a", 0, -1)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> store.list("", "", 0)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void closedStoreRefusesCalls() {
        store.close();
        assertThatThrownBy(() -> store.get("a")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS))
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> store.list("", "", 1)).isInstanceOf(ClosedException.class);
    }

    @Test
    void noNameIsLongerThanAFileSystemTakes() {
        KeyPaths paths = new KeyPaths(directory);
        for (String key : trickyKeys()) {
            for (Path name : directory.relativize(paths.file(key))) {
                assertThat(name.toString().length()).isLessThanOrEqualTo(255);
                assertThat(name.toString()).isNotIn(".", "..");
            }
        }
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("objects"))) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }
}
