package io.penstock.query;

import io.penstock.core.Bytes;
import java.io.ByteArrayOutputStream;

/**
 * Text as bytes in the order of its code points: UTF-8, and half of a surrogate pair as UTF-8 would write it if it were
 * a character, so that no text is without bytes.
 */
final class Text {
    private Text() {}

    static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // A pair is one code point: where two texts differ in its second half, it begins before.
                boolean inPair = i > 0
                        && Character.isHighSurrogate(one.charAt(i - 1))
                        && (Character.isLowSurrogate(a) || Character.isLowSurrogate(b));
                int begin = inPair ? i - 1 : i;
                return Integer.compare(one.codePointAt(begin), other.codePointAt(begin));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    static Bytes encode(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        text.codePoints().forEach(point -> write(point, out));
        return Bytes.wrap(out.toByteArray());
    }

    private static void write(int point, ByteArrayOutputStream out) {
        if (point < 0x80) {
            out.write(point);
        } else if (point < 0x800) {
            out.write(0xc0 | point >> 6);
            out.write(0x80 | point & 0x3f);
        } else {
            if (point < 0x10000) {
                out.write(0xe0 | point >> 12);
            } else {
                out.write(0xf0 | point >> 18);
                out.write(0x80 | point >> 12 & 0x3f);
            }
            out.write(0x80 | point >> 6 & 0x3f);
            out.write(0x80 | point & 0x3f);
        }
    }

    static String decode(Bytes bytes) {
        StringBuilder text = new StringBuilder(bytes.length());
        int i = 0;
        while (i < bytes.length()) {
            int first = bytes.at(i) & 0xff;
            int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
            int point = more == 0 ? first : first & (0x3f >> more);
            for (int k = 1; k <= more; k++) {
                point = point << 6 | bytes.at(i + k) & 0x3f;
            }
            text.appendCodePoint(point);
            i += 1 + more;
        }
        return text.toString();
    }
}
