package io.penstock.commit.feed;

import io.penstock.commit.domain.LogReader.Place;
import io.penstock.core.Bytes;

/** An example of a position, for tests of its format. */
public final class PositionProbe {
    private static final FeedPosition EXAMPLE = new FeedPosition(
            0x5eedL, "shop", new Place(300, 0x0123456789abcdefL, 2), 0x0197_0000_0000_0003L, 1_767_225_600_000L);

    private PositionProbe() {}

    public static String text() {
        return EXAMPLE.text();
    }

    public static Bytes encoded() {
        return EXAMPLE.encode();
    }

    public static boolean isExample(String text) {
        return FeedPosition.parse(text).equals(EXAMPLE);
    }

    /** Reads any position, as fuzzing finds them. */
    public static void read(Bytes bytes) {
        FeedPosition read = FeedPosition.decode(bytes);
        if (!FeedPosition.decode(read.encode()).equals(read)) {
            throw new AssertionError("it is not what it encodes");
        }
    }
}
