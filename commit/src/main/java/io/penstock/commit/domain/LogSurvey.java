package io.penstock.commit.domain;

import io.penstock.commit.domain.LogObjects.KnownHorizon;
import io.penstock.commit.domain.LogObjects.Listed;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The log of a domain as its objects show it to an operator, whatever a client follows of it. Changes nothing. Safe for
 * many threads.
 */
public final class LogSurvey {
    /** The number of segments that are read at a time. */
    private static final int WIDTH = 16;

    /** The maximum number of segments that a walk reads: a log may be of any length. */
    private static final long WALK_MAX = 10_000;

    /**
     * The time by which stamps may be ahead of the servers' time; by more they are only if a client's clock was wrong.
     */
    private static final Duration AHEAD_MAX = Duration.ofHours(2);

    private final String domain;
    private final Tasks tasks;
    private final LogObjects log;
    private final Duration trimAge;

    LogSurvey(String domain, Tasks tasks, LogObjects log, Duration trimAge) {
        this.domain = domain;
        this.tasks = tasks;
        this.log = log;
        this.trimAge = trimAge;
    }

    /**
     * The findings of a walk, a sentence each.
     *
     * @param violations commits are lost, or cannot be read
     * @param notes findings that cost something and lose nothing
     */
    public record Findings(List<String> violations, List<String> notes) {}

    /** The number of segments that no client needs any more, and their bytes. */
    public record Removable(long segments, long bytes) {}

    /** Lists the whole log. */
    public LogStats stats() {
        return stats(log.horizon(), log.list(0));
    }

    /** Lists the part of the log after the horizon. */
    public LogStats tail() {
        KnownHorizon known = log.horizon();
        return stats(known, log.list(known.horizon().position()));
    }

    private LogStats stats(KnownHorizon known, Iterator<Listed> listed) {
        Horizon horizon = known.horizon();
        long segments = 0;
        long bytes = 0;
        long tailBytes = 0;
        long last = 0;
        Optional<Duration> age = Optional.empty();
        while (listed.hasNext()) {
            Listed one = listed.next();
            segments++;
            bytes += one.bytes();
            last = one.number();
            if (one.number() > horizon.position()) {
                tailBytes += one.bytes();
                age = age.isPresent()
                        ? age
                        : Optional.of(Duration.ofMillis(Math.max(0, known.serverMillis() - one.atMillis())));
            }
        }
        return new LogStats(domain, segments, bytes, last, horizon.position(), horizon.trimmed(), tailBytes, age);
    }

    /** The segments that a trim would remove now. */
    public Removable removable() {
        KnownHorizon known = log.horizon();
        long through = known.horizon().trimmed();
        long segments = 0;
        long bytes = 0;
        for (Iterator<Listed> listed = log.list(0); listed.hasNext(); ) {
            Listed one = listed.next();
            through = known.trimmable(one, through, trimAge);
            if (one.number() > through) {
                break;
            }
            segments++;
            bytes += one.bytes();
        }
        return new Removable(segments, bytes);
    }

    /** Lists the log, and reads the part of it that is nowhere else. */
    public Findings walk() {
        Findings found = new Findings(new ArrayList<>(), new ArrayList<>());
        KnownHorizon known;
        try {
            known = log.horizon();
        } catch (CorruptDataException damaged) {
            found.violations.add(String.valueOf(damaged.getMessage()));
            return found;
        }
        Horizon horizon = known.horizon();
        long last = holes(horizon, found);
        if (horizon.position() > last) {
            found.violations.add("the horizon is beyond the log: horizon=" + horizon.position() + " last=" + last
                    + "; restore the segments, or " + log.horizonKey());
            return found;
        }
        if (last > horizon.position() + WALK_MAX) {
            found.notes.add("the log is " + (last - horizon.position()) + " segments ahead of the pages; the first "
                    + WALK_MAX + " were read; checkpoint it");
        }
        walk(horizon, Math.min(last, horizon.position() + WALK_MAX), known.serverMillis(), found);
        return found;
    }

    /**
     * Gives the records of all segments after the horizon.
     *
     * @throws CorruptDataException when one of these cannot be read, or is gone
     */
    public void pending(Consumer<LogRecord> use) {
        Iterator<Listed> listed = log.list(log.horizon().horizon().position());
        while (listed.hasNext()) {
            List<Long> some = new ArrayList<>();
            while (listed.hasNext() && some.size() < WIDTH) {
                some.add(listed.next().number());
            }
            for (LogObjects.Slot slot : Parallel.map(tasks, WIDTH, some, log::look)) {
                Segment segment = slot.segment();
                if (segment == null) {
                    throw log.missing(slot.number());
                }
                segment.records().forEach(use);
            }
        }
    }

    /** Finds what is missing between segments that are there; returns the last one. */
    private long holes(Horizon horizon, Findings found) {
        long last = horizon.trimmed();
        long left = 0;
        for (Iterator<Listed> listed = log.list(0); listed.hasNext(); ) {
            long number = listed.next().number();
            if (number <= horizon.trimmed()) {
                left++;
                continue;
            }
            if (number > last + 1) {
                hole(horizon, last + 1, number - 1, found);
            }
            last = number;
        }
        if (left > 0) {
            found.notes.add("segments that were trimmed and are still there: " + left + "; gc removes them");
        }
        return last;
    }

    private void hole(Horizon horizon, long from, long to, Findings found) {
        String what = "segments are missing: from=" + log.key(from) + " to=" + log.key(to);
        if (to >= horizon.position()) {
            // The one at the horizon too: without it no client can know that the log is that of the horizon.
            found.violations.add(what + "; restore the objects");
        } else {
            found.notes.add(what + "; pages have what was in them");
        }
    }

    private void walk(Horizon horizon, long last, long serverMillis, Findings found) {
        Tip tip = Tip.NONE;
        boolean ahead = false;
        for (long from = Math.max(1, horizon.position()); from <= last; from += WIDTH) {
            List<Long> numbers = LongStream.range(from, Math.min(last + 1, from + WIDTH))
                    .boxed()
                    .toList();
            for (Read read : Parallel.map(tasks, WIDTH, numbers, this::read)) {
                Segment segment = read.segment;
                if (segment == null) {
                    read.damage.ifPresent(damage -> found.violations.add(damage));
                    tip = Tip.NONE;
                    continue;
                }
                if (segment.number() == horizon.position()) {
                    requireSame(segment, horizon, found);
                } else if (tip.position() > 0 || segment.number() == 1) {
                    requireAfter(segment, tip, found);
                }
                tip = tip.after(segment, read.atMillis);
                ahead |= tip.stamp().time() >>> Stamp.COUNTER_BITS > serverMillis + AHEAD_MAX.toMillis();
            }
        }
        if (ahead) {
            found.notes.add("its stamps are ahead of the servers' time: a client with a wrong clock has committed;"
                    + " transactions of the domain go on, and it cannot leave its domain before that time");
        }
    }

    private record Read(@Nullable Segment segment, Optional<String> damage, long atMillis) {}

    /** Reads a segment. A result with neither segment nor damage means that it is missing, which the list has shown. */
    private Read read(long number) {
        try {
            LogObjects.Slot slot = log.look(number);
            return new Read(slot.segment(), Optional.empty(), slot.atMillis());
        } catch (CorruptDataException damaged) {
            return new Read(null, Optional.of(String.valueOf(damaged.getMessage())), 0);
        }
    }

    private void requireSame(Segment segment, Horizon horizon, Findings found) {
        if (segment.writeId() != horizon.writeId()) {
            found.violations.add("the segment at the horizon is another one: object=" + log.key(segment.number())
                    + "; restore it, or " + log.horizonKey());
        }
    }

    private void requireAfter(Segment segment, Tip tip, Findings found) {
        try {
            segment.requireAfter(tip, log.key(segment.number()));
        } catch (CorruptDataException foreign) {
            found.violations.add(String.valueOf(foreign.getMessage()));
        }
    }

    /**
     * The transactions of one segment.
     *
     * @throws InvalidRequestException when the log does not have it, or not any more
     */
    public List<LogReader.Read> transactions(long number) {
        boolean kept = number > log.horizon().horizon().trimmed();
        Segment segment = kept ? log.look(number).segment() : null;
        if (segment == null) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND,
                    "the commit log has no such segment, or not any more; check its number",
                    "domain",
                    domain,
                    "segment",
                    number);
        }
        return LogReader.reads(segment);
    }

    /** The log in words: its sizes, then a line for each of the first segments after the horizon. */
    public List<String> describe(int segmentsMax) {
        LogStats stats = stats();
        List<String> lines = new ArrayList<>();
        lines.add("log of domain=" + domain + " segments=" + stats.segments() + " bytes=" + stats.bytes() + " last="
                + stats.last() + " trimmed=" + stats.trimmed());
        lines.add("horizon=" + stats.horizon() + " tail segments=" + stats.tail() + " tail bytes=" + stats.tailBytes()
                + stats.tailAge().map(age -> " oldest=" + age.toSeconds() + "s").orElse(""));
        long to = Math.min(stats.last(), stats.horizon() + segmentsMax);
        for (long number = stats.horizon() + 1; number <= to; number++) {
            lines.add(describe(number, read(number)));
        }
        if (stats.last() > to) {
            lines.add((stats.last() - to) + " more");
        }
        return lines;
    }

    private static String describe(long number, Read read) {
        Segment segment = read.segment;
        if (segment == null) {
            return "segment " + number + " " + read.damage.orElse("is missing");
        }
        return "segment " + number + " transactions=" + segment.transactions().size() + " records="
                + segment.records().size() + " horizon known=" + segment.horizon();
    }
}
