package io.penstock.commit.index;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.io.ByteArrayOutputStream;

/**
 * Two keys in one byte string, ordered by the first and then the second: the first with each 0x00 written as 0x00 0xff,
 * then 0x00 0x01, then the second as it is. Also the key of a secondary index entry: search key, then primary key.
 */
public final class CompositeKey {
    private static final int ESCAPE = 0x00;
    private static final int ESCAPED_ZERO = 0xff;
    private static final int END = 0x01;
    private static final Bytes MARK = Bytes.wrap(new byte[] {ESCAPE, END});

    /** The two keys of a composite key. */
    public record Parts(Bytes first, Bytes second) {}

    private CompositeKey() {}

    public static Bytes join(Bytes first, Bytes second) {
        return prefix(first).concat(second);
    }

    /** The prefix of every composite key with this first part. */
    public static Bytes prefix(Bytes first) {
        return escape(first).concat(MARK);
    }

    /** The prefix of every composite key whose first part starts with {@code first}. */
    public static Bytes escape(Bytes first) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(first.length());
        for (int i = 0; i < first.length(); i++) {
            out.write(first.at(i));
            if (first.at(i) == ESCAPE) {
                out.write(ESCAPED_ZERO);
            }
        }
        return Bytes.wrap(out.toByteArray());
    }

    public static Parts split(Bytes joined) {
        ByteArrayOutputStream first = new ByteArrayOutputStream(joined.length());
        for (int i = 0; i + 1 < joined.length(); i++) {
            first.write(joined.at(i));
            if (joined.at(i) != ESCAPE) {
                continue;
            }
            int mark = joined.at(i + 1) & 0xff;
            if (mark == END) {
                byte[] bytes = first.toByteArray();
                return new Parts(Bytes.wrap(bytes, 0, bytes.length - 1), joined.slice(i + 2, joined.length()));
            }
            if (mark != ESCAPED_ZERO) {
                break;
            }
            i++;
        }
        throw new CorruptDataException(
                ErrorCode.CODEC_FAILURE,
                "a key is no composite key; was it written with another key codec?",
                "bytes",
                joined.length());
    }
}
