package io.penstock.core.local;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCloudTest {
    @TempDir
    Path directory;

    private final Tasks tasks = new ThreadTasks();

    @Test
    void opensBothAndKeepsThem() {
        try (LocalCloud cloud = LocalCloud.open(directory.resolve("new/cloud"), tasks)) {
            cloud.objects().put("a", Bytes.utf8("x"), WriteCondition.ALWAYS);
            cloud.queues().create("q", QueueAttributes.STANDARD);
        }
        try (LocalCloud cloud = LocalCloud.open(directory.resolve("new/cloud"), tasks)) {
            assertThat(cloud.objects().get("a")).isPresent();
            assertThat(cloud.queues().list("")).containsExactly("q");
        }
    }

    @Test
    void secondOpenIsRefusedUntilTheFirstIsClosed() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("c")));
        LocalCloud first = LocalCloud.open(directory.resolve("c"), tasks);
        for (Path same : new Path[] {directory.resolve("c"), directory.resolve("c/../c"), link}) {
            assertThatThrownBy(() -> LocalCloud.open(same, tasks))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DIRECTORY_IN_USE))
                    .hasMessageContaining("owner=this process");
        }
        first.close();
        first.close();
        LocalCloud.open(link, tasks).close();
    }

    @Test
    void theFirstOpensAndOthersAttach() {
        Path made = directory.resolve("new");
        assertThatThrownBy(() -> LocalCloud.look(made, tasks, Durability.FLUSHED))
                .is(code(ErrorCode.STORE_NOT_FOUND));
        try (LocalCloud first = LocalCloud.openOrAttach(made, tasks, Durability.FLUSHED);
                LocalCloud second = LocalCloud.openOrAttach(made, tasks, Durability.FLUSHED);
                LocalCloud look = LocalCloud.look(made, tasks, Durability.FLUSHED)) {
            second.objects().put("a", Bytes.utf8("x"), WriteCondition.ALWAYS);
            assertThat(first.isAttached()).isFalse();
            assertThat(second.isAttached()).isTrue();
            assertThat(look.objects().get("a")).isPresent();
        }
    }

    /** A path without links may lead elsewhere, or be too long for a socket where the real one is not. */
    @Test
    void othersAttachByAnyPath() throws IOException {
        Path made = Files.createDirectories(directory.resolve("here/there"));
        Path link = Files.createSymbolicLink(directory.resolve("l".repeat(120)), made);
        try (LocalCloud first = LocalCloud.open(made, tasks);
                LocalCloud second = LocalCloud.attach(link, tasks);
                LocalCloud third = LocalCloud.openOrAttach(link.resolve("../there"), tasks, Durability.FLUSHED)) {
            first.objects().put("a", Bytes.utf8("x"), WriteCondition.ALWAYS);
            assertThat(second.objects().get("a")).isPresent();
            assertThat(third.objects().get("a")).isPresent();
        }
    }

    @Test
    void failedOpenGivesTheDirectoryFree() throws IOException {
        Files.write(directory.resolve("queues.mv"), new byte[64 << 10]);
        assertThatThrownBy(() -> LocalCloud.open(directory, tasks)).isInstanceOf(InvalidRequestException.class);
        Files.delete(directory.resolve("queues.mv"));
        LocalCloud.open(directory, tasks).close();
    }

    /** A retry cannot help. */
    @Test
    void whatCannotBeADirectoryIsRefusedAsARequest() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "text");
        for (Path place : List.of(file, file.resolve("below"), file.resolve("far/below"))) {
            assertThatThrownBy(() -> LocalCloud.open(place, tasks))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DISK_UNUSABLE))
                    .hasMessageContaining("file=" + file)
                    .message()
                    .doesNotContain("retry");
        }
    }

    @Test
    void whereNoDirectoryCanBeMadeIsRefusedAsARequest() {
        for (IOException cause : List.of(new AccessDeniedException("data"), new NoSuchFileException("/proc/data"))) {
            FileAccess access = new FileAccess() {
                @Override
                public void createDirectories(Path made) throws IOException {
                    throw cause;
                }
            };
            assertThatThrownBy(() -> LocalCloud.open(directory.resolve("new"), tasks, Durability.FLUSHED, access))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DISK_UNUSABLE))
                    .hasCause(cause);
        }
    }

    @Test
    void closingClosesBoth() {
        LocalCloud cloud = LocalCloud.open(directory, tasks);
        cloud.close();
        assertThatThrownBy(() -> cloud.objects().get("a")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> cloud.queues().list("")).isInstanceOf(ClosedException.class);
    }
}
