package io.penstock.core.queue.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testing.InlineTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bits that flip, files that are cut, lengthened, removed, swapped: everything else goes on, and nothing is silent. */
class QueueDamageTest {
    private static final int SEGMENT_BYTES = 700;

    @TempDir
    Path directory;

    private final List<String> sent = new ArrayList<>();
    private int cases;

    private static LocalQueueService open(Path queues) {
        return LocalQueueService.open(
                queues,
                new InlineTasks(7),
                FileAccess.SYSTEM,
                real -> new SegmentFiles(real, FileAccess.SYSTEM, Durability.OS_CACHE, SEGMENT_BYTES));
    }

    /** Three segments with messages of two queues, some of them deleted. */
    private Path make() {
        Path queues = directory.resolve("sound/queues");
        try (LocalQueueService service = open(queues)) {
            MessageQueue first = service.create("first", QueueAttributes.STANDARD);
            MessageQueue second = service.create("second", QueueAttributes.STANDARD);
            first.send(List.of(Bytes.utf8("gone")));
            first.delete(List.of(first.receive(1, Duration.ofHours(1), Duration.ZERO)
                    .getFirst()
                    .receipt()));
            for (int i = 0; i < 12; i++) {
                String body = "message " + i + " ".repeat(7 * i);
                (i % 3 == 0 ? second : first).send(List.of(Bytes.utf8(body)));
                sent.add(body);
            }
        }
        return queues;
    }

    private Path copy(Path queues) throws IOException {
        Path target = Files.createDirectories(directory.resolve("case" + cases++));
        try (Stream<Path> files = Files.walk(queues.getParent())) {
            for (Path file : files.toList()) {
                Path to = target.resolve(queues.getParent().relativize(file).toString());
                if (!Files.isDirectory(file)) {
                    Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
                } else {
                    Files.createDirectories(to);
                }
            }
        }
        return target.resolve("queues");
    }

    private static List<Path> segments(Path queues) throws IOException {
        try (Stream<Path> files = Files.list(queues)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> read(LocalQueueService service) {
        List<String> bodies = new ArrayList<>();
        for (String name : service.list("")) {
            MessageQueue queue = service.find(name).orElseThrow();
            List<Delivery> found = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
            while (!found.isEmpty()) {
                found.forEach(delivery -> bodies.add(delivery.body().toUtf8()));
                found = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
            }
        }
        return bodies;
    }

    /** Whatever is read was sent; what is missing was said; no more is missing than {@code most}. */
    private void check(Path queues, int most, String text) {
        for (int opening = 0; opening < 2; opening++) {
            try (LocalQueueService service = open(queues)) {
                List<String> found = read(service);
                List<String> lost = new ArrayList<>(sent);
                lost.removeAll(found);
                found.remove("gone");
                assertThat(sent).as(text).containsAll(found);
                assertThat(lost.size()).as(text).isLessThanOrEqualTo(most);
                if (!lost.isEmpty()) {
                    assertThat(service.damage()).as(text + " lost " + lost).isNotEmpty();
                }
                service.create("later", QueueAttributes.STANDARD);
            }
        }
    }

    private void flip(Path queues, int segment, int bit, String text) throws IOException {
        Path copy = copy(queues);
        Path file = segments(copy).get(segment);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(file, bytes);
        check(copy, 1, text + " segment " + segment + " bit " + bit);
        remove(copy.getParent());
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void flippedBitsCostAtMostOneMessageAndAreSaid() throws IOException {
        long seed = 20261122;
        SplittableRandom random = new SplittableRandom(seed);
        Path queues = make();
        for (int segment = 0; segment < segments(queues).size(); segment++) {
            int bits = (int) (8 * Files.size(segments(queues).get(segment)));
            for (int at = random.nextInt(64); at < bits; at += random.nextInt(1, 64)) {
                flip(queues, segment, at, "seed " + seed);
            }
        }
    }

    @Test
    @Tag("long")
    void everyFlippedBitCostsAtMostOneMessageAndIsSaid() throws IOException {
        Path queues = make();
        for (int segment = 0; segment < segments(queues).size(); segment++) {
            int bits = (int) (8 * Files.size(segments(queues).get(segment)));
            for (int at = 0; at < bits; at++) {
                flip(queues, segment, at, "all");
            }
        }
    }

    @Test
    void segmentsCutRemovedLengthenedAndSwappedAreSaid() throws IOException {
        Path queues = make();
        int count = segments(queues).size();
        assertThat(count).isGreaterThan(2);
        for (int i = 0; i < count; i++) {
            Path removed = copy(queues);
            Files.delete(segments(removed).get(i));
            check(removed, sent.size(), "removed " + i);
            Path cut = copy(queues);
            byte[] bytes = Files.readAllBytes(segments(cut).get(i));
            Files.write(segments(cut).get(i), Arrays.copyOf(bytes, bytes.length * 2 / 3));
            check(cut, sent.size(), "cut " + i);
            Path longer = copy(queues);
            byte[] more = Arrays.copyOf(bytes, 2 * bytes.length);
            System.arraycopy(bytes, 0, more, bytes.length, bytes.length);
            Files.write(segments(longer).get(i), more);
            check(longer, 0, "lengthened " + i);
            Path swapped = copy(queues);
            Path other = segments(swapped).get((i + 1) % count);
            Files.copy(other, segments(swapped).get(i), StandardCopyOption.REPLACE_EXISTING);
            check(swapped, sent.size(), "replaced " + i);
        }
    }

    @Test
    void markIsOnlyNeededForTheEnd() throws IOException {
        Path queues = make();
        for (int bit : IntStream.range(0, 8 * 24).toArray()) {
            Path copy = copy(queues);
            byte[] bytes = Files.readAllBytes(copy.resolve("acknowledged"));
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(copy.resolve("acknowledged"), bytes);
            check(copy, 0, "mark bit " + bit);
            remove(copy.getParent());
        }
    }

    @Test
    void damagedMessageIsSetAsideWhileOthersGoOnAndItsBytesAreKept() throws IOException {
        Path queues = make();
        try (LocalQueueService service = open(queues)) {
            Path last = segments(queues).getLast();
            byte[] bytes = Files.readAllBytes(last);
            bytes[bytes.length - 1] ^= 1;
            Files.write(last, bytes);
            assertThat(read(service)).hasSize(sent.size() - 1);
            assertThat(service.damage()).singleElement().asString().contains("set aside", "number=", "segment=");
            MessageQueue queue = service.create("busy", QueueAttributes.STANDARD);
            for (int i = 0; i < 60; i++) {
                queue.send(List.of(Bytes.wrap(new byte[100])));
                queue.delete(List.of(queue.receive(1, Duration.ofHours(1), Duration.ZERO)
                        .getFirst()
                        .receipt()));
            }
        }
        try (Stream<Path> kept = Files.list(queues.resolve("damaged"))) {
            assertThat(kept).hasSize(1);
        }
        try (LocalQueueService service = open(queues)) {
            assertThat(read(service)).hasSize(sent.size() - 1);
        }
    }

    @Test
    void messagesOfAQueueThatIsNotKnownAreKeptAndSaid() throws IOException {
        Path queues = make();
        Path first = segments(queues).getFirst();
        byte[] bytes = Files.readAllBytes(first);
        // Both copies of the first queue.
        Arrays.fill(bytes, SegmentHeader.BYTES, SegmentHeader.BYTES + 2 * (LogEntry.HEAD_BYTES + 5), (byte) 0);
        Files.write(first, bytes);
        for (int opening = 0; opening < 2; opening++) {
            try (LocalQueueService service = open(queues)) {
                assertThat(service.list("")).contains("second").doesNotContain("first");
                assertThat(service.damage())
                        .anyMatch(line -> line.contains("not known") && line.contains("messages=8"));
                service.create("later", QueueAttributes.STANDARD);
            }
        }
    }

    /** Every build before the first release has left such a file beside the queues. */
    @Test
    void directoryOfAnOlderBuildIsRefusedInOneClearLine() throws IOException {
        Path queues = make();
        Files.write(queues.resolveSibling("queues.mv"), new byte[] {1});
        assertThatThrownBy(() -> open(queues))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("older build", "use another directory", "queues.mv");
        Files.delete(queues.resolveSibling("queues.mv"));
        open(queues).close(); // nothing stays locked
    }
}
