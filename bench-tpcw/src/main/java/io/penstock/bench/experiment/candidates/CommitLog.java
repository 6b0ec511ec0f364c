package io.penstock.bench.experiment.candidates;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** The objects of a commit log as one client sees them, and their requests. */
final class CommitLog {
    /** The segments that a client that was overtaken asks for at a time. */
    private static final int AHEAD = 4;

    private final ObjectStore objects;
    private final Tasks tasks;
    private final Requests requests;

    CommitLog(ObjectStore objects, Tasks tasks, Requests requests) {
        this.objects = objects;
        this.tasks = tasks;
        this.requests = requests;
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "log/%08x", number);
    }

    /** Puts a segment, unless there is one of this number. */
    boolean append(Segment segment) {
        return putIfAbsent(key(segment.number()), segment.encode());
    }

    boolean putIfAbsent(String key, Bytes body) {
        requests.put();
        try {
            objects.put(key, body, WriteCondition.IF_ABSENT);
            return true;
        } catch (ConflictException taken) {
            return false;
        }
    }

    Optional<Bytes> read(String key) {
        requests.get();
        return objects.get(key).map(StoredObject::body);
    }

    /** The keys after {@code startAfter} that begin with {@code prefix}, at most 1,000. */
    List<String> list(String prefix, String startAfter) {
        requests.put(); // a LIST costs what a PUT costs
        return objects.list(prefix, startAfter, 1_000).entries().stream()
                .map(entry -> entry.key())
                .toList();
    }

    Optional<Segment> read(int number) {
        return read(key(number)).map(Segment::decode);
    }

    /** Reads on from the tip, one segment; whether there was one. */
    boolean look(Tail tail) {
        Optional<Segment> next = read(tail.tip() + 1);
        next.filter(segment -> segment.number() == tail.tip() + 1).ifPresent(tail::add);
        return next.isPresent();
    }

    /** Reads on from the tip to the end of the log, several segments at a time; whether there was any. */
    boolean follow(Tail tail) {
        boolean news = false;
        while (true) {
            int from = tail.tip() + 1;
            List<Integer> numbers = IntStream.range(from, from + AHEAD).boxed().toList();
            List<Optional<Segment>> found = Parallel.map(tasks, AHEAD, numbers, this::read);
            for (Optional<Segment> segment : found) {
                if (segment.isEmpty()) {
                    return news;
                }
                tail.add(segment.get());
                news = true;
            }
        }
    }
}
