package io.penstock.core.local.shared;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An owner and those who attach to it come and go. */
class SharingTest {
    private static final Set<Call> READS = Set.of(
            Call.GET,
            Call.LOOK,
            Call.GET_RANGE,
            Call.GET_IF_CHANGED,
            Call.LIST,
            Call.FIND_QUEUE,
            Call.LIST_QUEUES,
            Call.QUEUE_LIMITS,
            Call.DEPTH,
            Call.CONFIGURATION,
            Call.DAMAGE);

    @TempDir
    Path directory;

    private final Tasks tasks = new ThreadTasks();

    private LocalCloud open() {
        return LocalCloud.open(directory, tasks, Durability.OS_CACHE);
    }

    private static void put(LocalCloud cloud, String key) {
        cloud.objects().put(key, Bytes.utf8(key), WriteCondition.IF_ABSENT);
    }

    @Test
    void theSocketIsForTheUserAlone() throws IOException {
        try (LocalCloud owner = open()) {
            assertThat(owner.isAttached()).isFalse();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Sharing.socket(directory))))
                    .isEqualTo("rw-------");
        }
        assertThat(Sharing.socket(directory)).doesNotExist();
    }

    @Test
    void thereIsNobodyToAttachTo() {
        assertThatThrownBy(() -> LocalCloud.attach(directory, tasks))
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNAVAILABLE));
    }

    @Test
    void whoIsAttachedGoesOnWithTheNextOwner() {
        LocalCloud first = open();
        try (LocalCloud attached = LocalCloud.attach(directory, tasks)) {
            put(attached, "a");
            first.close();
            assertThatThrownBy(() -> attached.objects().get("a")).isInstanceOf(UnavailableException.class);
            try (LocalCloud second = open()) {
                put(second, "b");
                assertThat(attached.objects().get("a")).isPresent();
                assertThat(attached.objects().get("b")).isPresent();
                assertThat(attached.damage()).isEmpty();
            }
        }
    }

    @Test
    void anOwnerThatClosesLeavesCallsUnderWayUnanswered() {
        LocalCloud owner = open();
        try (LocalCloud attached = LocalCloud.attach(directory, tasks)) {
            MessageQueue queue = attached.queues().create("q", QueueAttributes.STANDARD);
            Task<Integer> receiving = tasks.fork(
                    "receive",
                    () -> queue.receive(1, Duration.ofSeconds(30), Duration.ofSeconds(20))
                            .size());
            tasks.sleep(Duration.ofMillis(200));
            owner.close();
            assertThatThrownBy(receiving::join).isInstanceOf(OutcomeUnknownException.class);
            assertThatThrownBy(() -> put(attached, "a")).isInstanceOf(UnavailableException.class);
        }
    }

    /** The owner takes a call and goes away before it answers: nobody knows what became of it, unless it was a read. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void aCallWithoutAnAnswerIsUnknownUnlessItReads(Call call) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Sharing.socket(directory)));
            Task<Boolean> owner = tasks.start("owner", () -> {
                try (Frames frames = new Frames(server.accept())) {
                    frames.greet();
                    frames.send(frames.receive().number(), out -> {
                        out.writeBoolean(true);
                        Values.write(out, new QueueLimits(10, 1 << 18, 1 << 18));
                    });
                    frames.receive();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (Attachment attached = Attachment.to(directory, tasks)) {
                assertThatThrownBy(() -> attached.tell(call, "", "", "", ""))
                        .isInstanceOf(
                                READS.contains(call) ? UnavailableException.class : OutcomeUnknownException.class);
            }
            owner.join();
        }
    }

    /** It was told that the directory is in use, as if the call were wrong. */
    @Test
    void anOwnerThatIsOpeningIsWaitedFor() throws IOException {
        open().close();
        DirectoryLock opening = DirectoryLock.take(directory.toRealPath());
        Task<LocalCloud> other = tasks.fork("other", () -> {
            tasks.sleep(Duration.ofMillis(300));
            opening.close();
            return open();
        });
        try (LocalCloud found = LocalCloud.openOrAttach(directory, tasks, Durability.OS_CACHE)) {
            put(found, "a");
            if (!found.isAttached()) {
                assertThatThrownBy(other::join).isInstanceOf(InvalidRequestException.class);
            } else {
                other.join().close();
            }
        }
    }

    /** What a store asks when it opens is known, though the owner has just gone away. */
    @Test
    void theLimitsOfQueuesAreAskedOnce() {
        LocalCloud owner = open();
        try (LocalCloud attached = LocalCloud.attach(directory, tasks)) {
            QueueLimits limits = owner.queues().limits();
            owner.close();
            assertThat(attached.queues().limits()).isEqualTo(limits);
        }
    }

    /** It takes all other writers for dead, and may remove their queues. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void anOwnerThatIsAloneLetsOthersOnlyRead(Call call) {
        try (LocalCloud owner = LocalCloud.openAlone(directory, tasks, Durability.OS_CACHE)) {
            put(owner, "a");
            owner.queues().create("q", QueueAttributes.STANDARD);
            try (LocalCloud look = LocalCloud.look(directory, tasks, Durability.OS_CACHE)) {
                assertThat(look.objects().get("a")).isPresent();
                assertThat(look.queues().find("q").orElseThrow().depth().total())
                        .isZero();
                assertThat(look.damage()).isEmpty();
            }
            if (!READS.contains(call)) {
                try (Attachment attached = Attachment.to(directory, tasks)) {
                    assertThatThrownBy(() -> attached.tell(call, "", "", "", ""))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.DIRECTORY_IN_USE));
                }
            }
        }
    }

    /** An owner that is stopped takes connections, by its system, and answers none. */
    @Test
    @Tag("slow")
    void anOwnerThatHasStoppedIsNotWaitedForWithoutEnd() throws IOException {
        open().close();
        try (DirectoryLock owner = DirectoryLock.take(directory.toRealPath());
                ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Sharing.socket(directory)));
            assertThatThrownBy(() -> LocalCloud.openOrAttach(directory, tasks, Durability.OS_CACHE))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining("owner=");
        }
    }

    /** Those who wait for one try to connect share its end: each used to wait for the tries of all before it. */
    @Test
    @Tag("slow")
    void manyCallersShareOneTryToConnect() throws IOException {
        LocalCloud owner = open();
        try (LocalCloud attached = LocalCloud.attach(directory, tasks)) {
            owner.close();
            AtomicInteger tries = new AtomicInteger();
            try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                stopped.bind(UnixDomainSocketAddress.of(Sharing.socket(directory)));
                tasks.start("stopped", () -> count(stopped, tries));
                List<Task<Boolean>> callers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    callers.add(tasks.start(
                            "caller",
                            () -> assertThatThrownBy(() -> attached.objects().get("a"))
                                    .isInstanceOf(UnavailableException.class)));
                }
                callers.forEach(Task::join);
                assertThat(tries).hasValueLessThan(4);
            }
        }
    }

    private static void count(ServerSocketChannel server, AtomicInteger tries) {
        try {
            while (true) {
                var unused = server.accept();
                tries.incrementAndGet();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    @Tag("slow")
    void anAnswerIsNotWaitedForWithoutEnd() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Sharing.socket(directory)));
            tasks.start("owner", () -> {
                try {
                    new Frames(server.accept()).greet();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> LocalCloud.attach(directory, tasks))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
        }
    }

    @Test
    void anOwnerOfAnotherReleaseIsRefused() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Sharing.socket(directory)));
            Task<Boolean> owner = tasks.start("owner", () -> {
                try (SocketChannel channel = server.accept()) {
                    channel.write(ByteBuffer.allocate(8)
                            .putInt(Frames.MAGIC)
                            .putInt(Frames.VERSION + 1)
                            .flip());
                    channel.read(ByteBuffer.allocate(8));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> LocalCloud.attach(directory, tasks))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.OTHER_RELEASE));
            owner.join();
        }
    }

    /** Frames that are broken end their own connection. */
    @Test
    void whatIsNoRequestCutsItsConnectionAlone() throws IOException {
        try (LocalCloud owner = open();
                LocalCloud attached = LocalCloud.attach(directory, tasks)) {
            put(owner, "a");
            byte[][] broken = {
                {0x7f, 0, 0, 0},
                {0, 0, 0, 3, 1, 2, 3},
                {0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 99},
                {0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8},
                {0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0x7f, 0x7f, 0x7f, 0x7f},
                {0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 0, 0, 0},
            };
            for (byte[] bytes : broken) {
                try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    channel.connect(UnixDomainSocketAddress.of(Sharing.socket(directory)));
                    new Frames(channel).greet();
                    channel.write(ByteBuffer.wrap(bytes));
                    assertThat(isCut(channel)).isTrue();
                }
            }
            assertThat(attached.objects().get("a")).isPresent();
        }
    }

    private static boolean isCut(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void whereASocketCannotBeNobodyAttaches() {
        Path deep = directory.resolve("x".repeat(120));
        try (LocalCloud owner = LocalCloud.open(deep, tasks, Durability.OS_CACHE)) {
            put(owner, "a");
            assertThatThrownBy(() -> LocalCloud.openOrAttach(deep, tasks, Durability.OS_CACHE))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DIRECTORY_IN_USE));
        }
    }
}
