package io.penstock.commit.domain;

import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
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

    /** Whether these bytes are that horizon. */
    public static boolean isHorizon(Bytes bytes, ClientId client) {
        return Horizon.decode(bytes, "shop", "horizon").equals(exampleHorizon(client));
    }
}
