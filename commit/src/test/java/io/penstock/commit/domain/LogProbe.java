package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.time.Duration;
import java.util.List;

/** Examples of the objects of a commit log, for tests of their formats. */
public final class LogProbe {
    private LogProbe() {}

    private static Segment exampleSegment(ClientId client, List<LogRecord> records) {
        return new Segment(
                "shop",
                300,
                0x0123456789abcdefL,
                0xfedcba9876543210L,
                256,
                List.of(new Segment.Transaction(new TransactionId(client, 0x77L), 299, records)));
    }

    private static Horizon exampleHorizon(ClientId client) {
        return new Horizon(
                "shop",
                0x5eedL,
                256,
                0xfedcba9876543210L,
                Stamp.of(1_700_000_000_003L, 2, client),
                130,
                new Horizon.Claim(client, 1_700_000_060_000L),
                new Horizon.Hold(260, 1_700_000_000_004L, 1_700_000_030_004L));
    }

    /** A segment of one transaction. */
    public static Bytes segment(ClientId client, List<LogRecord> records) {
        return exampleSegment(client, records).encode();
    }

    /** Whether these bytes are that segment. */
    public static boolean isSegment(Bytes bytes, ClientId client, List<LogRecord> records) {
        return Segment.decode(bytes, "segment").equals(exampleSegment(client, records));
    }

    /** A horizon with a claim and a hold. */
    public static Bytes horizon(ClientId client) {
        return exampleHorizon(client).encode();
    }

    /** The mark of a log's home. */
    public static Bytes home() {
        return LogHome.encode(0x5eedL);
    }

    /** Whether these bytes are that mark. */
    public static boolean isHome(Bytes bytes) {
        return LogHome.decode(bytes, "home") == 0x5eedL;
    }

    /** Two transactions that were handed in, one of them a fence. */
    public static Bytes intake(ClientId client, List<LogRecord> records) {
        return HandedIn.encode("shop", exampleIntake(client, records));
    }

    /** Whether these bytes are those transactions: what they have read has no equality of its own. */
    public static boolean isIntake(Bytes bytes, ClientId client, List<LogRecord> records) {
        List<HandedIn> found = HandedIn.decode(bytes, "shop");
        return found.size() == 2
                && found.getFirst().intent().writes().equals(records)
                && Intent.isFence(found.getLast().intent().writes().getFirst())
                && HandedIn.encode("shop", found).equals(intake(client, records));
    }

    private static List<HandedIn> exampleIntake(ClientId client, List<LogRecord> records) {
        TreeId tree = records.getFirst().tree();
        ReadSet read = new ReadSet();
        read.add(tree, Bytes.utf8("user:1"));
        read.add(tree, KeyRange.prefix(Bytes.utf8("user:")));
        Intent intent = new Intent(new TransactionId(client, 0x77L), 299, read, records);
        return List.of(
                HandedIn.at(intent, 300, Duration.ofMillis(70)),
                HandedIn.at(Intent.fence(new TransactionId(client, 0x78L), 300, tree), 300, Duration.ZERO));
    }

    /** Reads any object or message of a commit log, as fuzzing finds them. */
    public static void readSegment(Bytes bytes) {
        Segment read = Segment.decode(bytes, "segment");
        requireSame(Segment.decode(read.encode(), "again").equals(read));
    }

    public static void readHorizon(Bytes bytes) {
        Horizon read = Horizon.decode(bytes, "shop", "horizon");
        requireSame(Horizon.decode(read.encode(), "shop", "again").equals(read));
    }

    public static void readHome(Bytes bytes) {
        long read = LogHome.decode(bytes, "home");
        requireSame(LogHome.decode(LogHome.encode(read), "again") == read);
    }

    public static void readIntake(Bytes bytes) {
        List<HandedIn> read = HandedIn.decode(bytes, "shop");
        Bytes again = HandedIn.encode("shop", read);
        requireSame(HandedIn.encode("shop", HandedIn.decode(again, "shop")).equals(again));
    }

    private static void requireSame(boolean same) {
        if (!same) {
            throw new AssertionError("it is not what it encodes");
        }
    }

    /** Whether these bytes are that horizon. */
    public static boolean isHorizon(Bytes bytes, ClientId client) {
        return Horizon.decode(bytes, "shop", "horizon").equals(exampleHorizon(client));
    }
}
