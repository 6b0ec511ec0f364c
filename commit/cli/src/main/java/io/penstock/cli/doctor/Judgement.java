package io.penstock.cli.doctor;

import io.penstock.core.object.s3.BucketSettings;
import io.penstock.report.Backlog;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides what the facts of an examination mean, and what to do. Does no I/O. */
final class Judgement {
    /** The time of an answer from which on a server is slow. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    /** The default of {@code clockSkewMax}, from which on clients refuse to commit. */
    private static final Duration SKEW_MAX = Duration.ofMinutes(5);

    /** A difference of clocks that is no matter of whole seconds and of the way of an answer any more. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    /** The age of a pending commit from which on the log warns. */
    private static final Duration LATE = Duration.ofMinutes(10);

    /** The default of {@code pendingAgeMax}, from which on commits are refused. */
    private static final Duration LATE_MAX = Duration.ofHours(12);

    /** The bytes of a log's tail from which on commits wait for a checkpoint. */
    private static final long TAIL_BYTES_MAX = 64L << 20;

    private Judgement() {}

    static Finding answered(String check, Duration took) {
        String text = "answers in " + took.toMillis() + " ms";
        return took.compareTo(SLOW) < 0
                ? Finding.ok(check, text)
                : Finding.warning(check, text + "; look after the network, and run near the server");
    }

    /** @param ahead of the server's clock before this machine's */
    static Finding clock(Duration ahead) {
        String text = "the server's clock is " + ahead.toMillis() + " ms ahead of this machine's";
        if (ahead.abs().compareTo(SKEW_MAX) > 0) {
            return Finding.failed("clock", text + "; commits are refused, set the clock right");
        }
        return ahead.abs().compareTo(SKEW) > 0
                ? Finding.warning("clock", text + "; keep the clock by NTP")
                : Finding.ok("clock", text);
    }

    /** A promise on which no commit can do without. */
    static Finding promise(String check, boolean kept, String promise, String broken) {
        return kept
                ? Finding.ok(check, promise)
                : Finding.failed(check, broken + "; commits would be lost, use another server or version");
    }

    /** @param winners the number of puts that took effect, of those that raced under one condition, in each round */
    static Finding race(List<Long> winners) {
        if (winners.stream().anyMatch(many -> many > 1)) {
            return promise("conditional puts at once", false, "", "several won a race that one may win");
        }
        return winners.contains(0L)
                ? Finding.warning("conditional puts at once", "a race had no winner; run the doctor again")
                : Finding.ok("conditional puts at once", "each race has one winner");
    }

    static Finding lacking(String check, List<String> lacking) {
        return lacking.isEmpty()
                ? Finding.ok(check, "all that the roles client and checkpointer need")
                : Finding.failed(
                        check, "lacks " + String.join(", ", lacking) + "; attach what \"policy --role\" prints");
    }

    static List<Finding> bucket(BucketSettings bucket, String prefix) {
        return List.of(
                told("lifecycle rules", bucket.lifecycle().map(rules -> lifecycle(rules, prefix + "/"))),
                told("versioning", bucket.versioned().map(Judgement::versioning)),
                told(
                        "object lock",
                        bucket.locked()
                                .map(locked -> locked
                                        ? Finding.warning(
                                                "object lock",
                                                "on: what a default retention holds is never freed; use a bucket"
                                                        + " without it")
                                        : Finding.ok("object lock", "off"))),
                told("encryption", bucket.encryption().map(Judgement::encryption)));
    }

    private static Finding told(String check, Optional<Finding> found) {
        return found.orElseGet(() -> Finding.unchecked(
                check, "the server did not tell; look yourself, or give the right to get the bucket's settings"));
    }

    private static Finding lifecycle(List<BucketSettings.Rule> rules, String folder) {
        List<String> taking = rules.stream()
                .filter(rule ->
                        folder.startsWith(rule.prefix()) || rule.prefix().startsWith(folder))
                .filter(rule -> !rule.takes().isEmpty())
                .map(rule ->
                        "rule '" + rule.id() + "' for '" + rule.prefix() + "' " + String.join(" and ", rule.takes()))
                .toList();
        if (!taking.isEmpty()) {
            return Finding.failed(
                    "lifecycle rules",
                    String.join(", ", taking) + ": pages and log segments are lost; remove it, or limit its prefix");
        }
        boolean ends = rules.stream().anyMatch(rule -> rule.endsUploads() && folder.startsWith(rule.prefix()));
        return ends
                ? Finding.ok("lifecycle rules", "none takes objects of the store away")
                : Finding.warning(
                        "lifecycle rules",
                        "none ends uploads that were cut off; add AbortIncompleteMultipartUpload after 2 days");
    }

    private static Finding versioning(boolean versioned) {
        return versioned
                ? Finding.warning(
                        "versioning",
                        "on: each version of a page is paid for; add NoncurrentVersionExpiration and"
                                + " ExpiredObjectDeleteMarker")
                : Finding.ok("versioning", "off");
    }

    private static Finding encryption(String by) {
        return by.startsWith("aws:kms")
                ? Finding.warning(
                        "encryption",
                        by + ": each client needs kms:GenerateDataKey and kms:Decrypt, and nothing can be read when"
                                + " the key is gone")
                : Finding.ok("encryption", by);
    }

    /** @param alive the number of clients that are at work, which will apply what is pending */
    static Finding backlog(Backlog backlog, long alive) {
        String text = backlog.pendingMessages() + " pending messages, " + backlog.atomicMessages()
                + " atomic messages, " + backlog.logSegments() + " log segments";
        long messages = backlog.pendingMessages() + backlog.atomicMessages();
        // Where there are none, it is the age of segments, which the logs' own findings judge.
        Duration oldest = messages == 0 ? Duration.ZERO : backlog.oldest().orElse(Duration.ZERO);
        if (oldest.compareTo(LATE_MAX) >= 0) {
            return Finding.failed(
                    "backlog", text + ", the oldest of " + oldest.toMinutes() + " min; commits are refused, run sweep");
        }
        boolean alone = alive == 0 && messages > 0;
        return alone || oldest.compareTo(LATE) >= 0
                ? Finding.warning("backlog", text + "; run sweep, queues forget after 14 days")
                : Finding.ok("backlog", text);
    }

    static List<Finding> logs(List<LogStats> logs) {
        List<Finding> found = new ArrayList<>();
        for (LogStats log : logs) {
            String check = "log of " + log.domain();
            Duration age = log.tailAge().orElse(Duration.ZERO);
            String text = log.tail() + " segments, " + log.tailBytes() + " bytes are not on pages, the oldest for "
                    + age.toSeconds() + " s";
            if (log.tailBytes() > TAIL_BYTES_MAX) {
                found.add(Finding.failed(check, text + "; commits wait, see why checkpoints fail, or run sweep"));
            } else {
                found.add(
                        age.compareTo(LATE) >= 0
                                ? Finding.warning(check, text + "; see why checkpoints fail, or run sweep")
                                : Finding.ok(check, text));
            }
        }
        return found;
    }

    /** @param clients lines of {@code inspect client} */
    static Finding clients(List<String> clients) {
        long silent = clients.stream().filter(line -> line.contains(" silent ")).count();
        String text = clients.size() + " known, " + silent + " silent";
        return silent == 0
                ? Finding.ok("clients", text)
                : Finding.warning("clients", text + "; run sweep, which finishes what they committed");
    }

    static long alive(List<String> clients) {
        return clients.stream().filter(line -> line.contains(" alive ")).count();
    }

    static Finding kept(int objects) {
        return objects == 0
                ? Finding.ok("quarantine", "nothing is kept")
                : Finding.warning("quarantine", objects + " objects were not applied; see quarantine list");
    }

    static Finding formats(List<String> unreadable) {
        return unreadable.isEmpty()
                ? Finding.ok("formats", "all definitions can be read")
                : Finding.failed(
                        "formats",
                        "definitions are damaged or of a newer release: " + String.join(", ", unreadable)
                                + "; use that release, or restore them");
    }
}
