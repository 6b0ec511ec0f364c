package io.penstock.core.queue.local;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalQueueServiceTest extends MessageQueueContract {
    private static final Duration HIDDEN = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final ShiftedTasks tasks = new ShiftedTasks();
    private LocalQueueService service;

    @BeforeEach
    void open() {
        service = LocalQueueService.open(directory.resolve("queues"), tasks, Durability.OS_CACHE);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Override
    protected QueueService service() {
        return service;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Override
    protected void advance(Duration duration) {
        tasks.advance(duration);
    }

    @Override
    protected boolean ordered() {
        return true;
    }

    @Override
    protected boolean deliversOnce() {
        return true;
    }

    @Override
    protected boolean findsAll() {
        return true;
    }

    private MessageQueue queue() {
        return service.create("q", QueueAttributes.STANDARD);
    }

    private void reopen() {
        service.close();
        open();
    }

    @Test
    void messagesOutliveTheServiceAndDeletionsToo() {
        queue().send(List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c")));
        Delivery first = queue().receive(1, HIDDEN, Duration.ZERO).getFirst();
        queue().receive(1, HIDDEN, Duration.ZERO);
        queue().delete(List.of(first.receipt()));
        reopen();
        assertThat(service.list("")).containsExactly("q");
        MessageQueue queue = service.find("q").orElseThrow();
        queue.send(List.of(Bytes.utf8("d")));
        assertThat(queue.receive(10, HIDDEN, Duration.ZERO))
                .extracting(delivery -> delivery.body().toUtf8())
                .containsExactly("b", "c", "d");
    }

    @Test
    void receiptOfAnEarlierProcessDeletesNothing() {
        queue().send(List.of(Bytes.utf8("a")));
        Delivery before = queue().receive(1, HIDDEN, Duration.ZERO).getFirst();
        reopen();
        assertThat(queue().delete(List.of(before.receipt()))).containsExactly(before.receipt());
        assertThat(queue().receive(1, HIDDEN, Duration.ZERO)).hasSize(1);
        assertThat(queue().delete(List.of(before.receipt()))).containsExactly(before.receipt());
    }

    @Test
    void messageIdsAreNotUsedAgain() {
        queue().send(List.of(Bytes.utf8("a")));
        Delivery first = queue().receive(1, HIDDEN, Duration.ZERO).getFirst();
        queue().delete(List.of(first.receipt()));
        reopen();
        queue().send(List.of(Bytes.utf8("b")));
        Delivery second = queue().receive(1, HIDDEN, Duration.ZERO).getFirst();
        assertThat(second.messageId()).isNotEqualTo(first.messageId());
    }

    @Test
    void secondOpenIsRefused() {
        assertThatThrownBy(() -> LocalQueueService.open(directory.resolve("queues"), tasks))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.DIRECTORY_IN_USE));
    }

    @Test
    void closedServiceRefusesCallsAndWaiters() {
        MessageQueue queue = queue();
        Task<List<Delivery>> poll = tasks.fork("poll", () -> queue.receive(1, HIDDEN, Duration.ofSeconds(20)));
        tasks.sleep(Duration.ofMillis(100));
        service.close();
        assertThatThrownBy(poll::join).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> queue.send(List.of(Bytes.utf8("x")))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> service.list("")).isInstanceOf(ClosedException.class);
        service.close();
    }

    @Test
    void longPollOfADeletedQueueIsRefused() {
        MessageQueue queue = queue();
        Task<List<Delivery>> poll = tasks.fork("poll", () -> queue.receive(1, HIDDEN, Duration.ofSeconds(20)));
        tasks.sleep(Duration.ofMillis(100));
        service.delete("q");
        assertThatThrownBy(poll::join).isInstanceOf(RefusedException.class);
    }

    @Test
    void interruptedSenderDoesNotHarmTheFile() {
        MessageQueue queue = queue();
        Thread.currentThread().interrupt();
        try {
            queue.send(List.of(Bytes.utf8("x")));
        } catch (OutcomeUnknownException e) {
            // The usual end; but the send may also be over before its caller looks.
            assertThat(Thread.interrupted()).isTrue();
        }
        Thread.interrupted();
        queue.send(List.of(Bytes.utf8("y")));
        reopen();
        assertThat(queue().receive(10, HIDDEN, Duration.ZERO))
                .extracting(delivery -> delivery.body().toUtf8())
                .contains("y");
    }

    @Test
    void flushedSendersShareCommits() {
        try (LocalQueueService flushed = LocalQueueService.open(directory.resolve("flushed"), tasks)) {
            MessageQueue queue = flushed.create("q", QueueAttributes.STANDARD);
            List<Task<Boolean>> senders = new ArrayList<>();
            for (int s = 0; s < 16; s++) {
                senders.add(tasks.start("sender", () -> {
                    for (int i = 0; i < 20; i++) {
                        queue.send(List.of(Bytes.utf8("m")));
                    }
                }));
            }
            senders.forEach(Task::join);
            assertThat(queue.depth().visible()).isEqualTo(320);
        }
    }

    @Test
    @Tag("slow")
    void fileIsSmallAfterMuchTraffic() throws IOException {
        MessageQueue queue = queue();
        List<Bytes> batch = Collections.nCopies(10, Bytes.wrap(new byte[4_000]));
        for (int i = 0; i < 2_000; i++) {
            queue.send(batch);
            List<Delivery> found = queue.receive(10, HIDDEN, Duration.ZERO);
            queue.delete(found.stream().map(Delivery::receipt).toList());
        }
        reopen();
        long bytes = 0;
        try (Stream<Path> files = Files.list(directory.resolve("queues"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        assertThat(bytes).isLessThan(16 << 20);
        assertThat(queue().receive(10, HIDDEN, Duration.ZERO)).isEmpty();
    }

    @Test
    void closingUnderLoadGivesOnlyOurFailures() {
        for (int round = 0; round < 5; round++) {
            List<Task<RuntimeException>> users = new ArrayList<>();
            MessageQueue queue = queue();
            for (int u = 0; u < 6; u++) {
                users.add(tasks.fork("user", () -> useUntilRefused(queue)));
            }
            tasks.sleep(Duration.ofMillis(5));
            reopen();
            for (Task<RuntimeException> user : users) {
                assertThat(user.join())
                        .isInstanceOfAny(ClosedException.class, OutcomeUnknownException.class, RefusedException.class);
            }
        }
    }

    private static RuntimeException useUntilRefused(MessageQueue queue) {
        try {
            while (true) {
                queue.send(List.of(Bytes.utf8("m"), Bytes.utf8("n")));
                List<Delivery> found = queue.receive(10, HIDDEN, Duration.ofMillis(1));
                if (!found.isEmpty()) {
                    queue.delete(found.stream().map(Delivery::receipt).toList());
                }
            }
        } catch (RuntimeException refused) {
            return refused;
        }
    }
}
