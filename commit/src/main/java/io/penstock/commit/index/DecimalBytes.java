package io.penstock.commit.index;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Decimal numbers as bytes in the order of the numbers. One other than 0 is its sign times 0.d1d2d3... times ten to the
 * exponent, where d1 is not 0; the digits come in pairs, each pair plus one in a byte, so that fewer digits sort first.
 * In a negative number all bytes after the sign are complemented, and 0xff ends them, since there more digits sort
 * first.
 */
public final class DecimalBytes {
    private static final int NEGATIVE = 0;
    private static final int ZERO = 1;
    private static final int POSITIVE = 2;

    /** The bytes of sign and exponent. */
    private static final int HEAD = 1 + Integer.BYTES;

    private static final byte END_OF_NEGATIVE = (byte) 0xff;

    private DecimalBytes() {}

    public static Bytes encode(BigDecimal key) {
        BigDecimal plain = stripped(key);
        if (plain.signum() == 0) {
            return Bytes.wrap(new byte[] {ZERO});
        }
        Bytes magnitude = magnitude(plain);
        return plain.signum() > 0
                ? Bytes.wrap(new byte[] {POSITIVE}).concat(magnitude)
                : Bytes.wrap(new byte[] {NEGATIVE})
                        .concat(magnitude.complement())
                        .concat(Bytes.wrap(new byte[] {END_OF_NEGATIVE}));
    }

    private static BigDecimal stripped(BigDecimal key) {
        try {
            return key.stripTrailingZeros();
        } catch (ArithmeticException beyond) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a decimal key has an exponent beyond an int; choose another key",
                    "scale",
                    key.scale());
        }
    }

    private static Bytes magnitude(BigDecimal plain) {
        long exponent = (long) plain.precision() - plain.scale();
        if (exponent < Integer.MIN_VALUE || exponent > Integer.MAX_VALUE || plain.scale() == Integer.MIN_VALUE) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a decimal key has an exponent beyond an int; choose another key",
                    "exponent",
                    exponent);
        }
        String digits = plain.unscaledValue().abs().toString();
        ByteArrayOutputStream out = new ByteArrayOutputStream(Integer.BYTES + digits.length() / 2 + 1);
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .putInt((int) exponent ^ Integer.MIN_VALUE)
                .array());
        for (int i = 0; i < digits.length(); i += 2) {
            int tens = digits.charAt(i) - '0';
            int ones = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
            out.write(tens * 10 + ones + 1);
        }
        return Bytes.wrap(out.toByteArray());
    }

    public static BigDecimal decode(Bytes bytes) {
        if (bytes.length() == 1 && bytes.at(0) == ZERO) {
            return BigDecimal.ZERO;
        }
        if (bytes.length() > HEAD && bytes.at(0) == POSITIVE) {
            return decodeMagnitude(bytes.slice(1, bytes.length()), bytes);
        }
        boolean negative =
                bytes.length() > HEAD + 1 && bytes.at(0) == NEGATIVE && bytes.at(bytes.length() - 1) == END_OF_NEGATIVE;
        if (!negative) {
            throw notDecimal(bytes);
        }
        return decodeMagnitude(bytes.slice(1, bytes.length() - 1).complement(), bytes)
                .negate();
    }

    private static BigDecimal decodeMagnitude(Bytes magnitude, Bytes whole) {
        int exponent = ByteBuffer.wrap(magnitude.array(), magnitude.offset(), Integer.BYTES)
                        .getInt()
                ^ Integer.MIN_VALUE;
        StringBuilder digits = new StringBuilder(2 * magnitude.length());
        for (int i = Integer.BYTES; i < magnitude.length(); i++) {
            int pair = (magnitude.at(i) & 0xff) - 1;
            if (pair < 0 || pair > 99) {
                throw notDecimal(whole);
            }
            digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
        }
        long scale = (long) digits.length() - exponent;
        boolean canonical = digits.charAt(0) != '0' && !digits.toString().endsWith("00");
        if (!canonical || scale > Integer.MAX_VALUE || scale < Integer.MIN_VALUE) {
            throw notDecimal(whole);
        }
        return new BigDecimal(new BigInteger(digits.toString()), (int) scale).stripTrailingZeros();
    }

    private static CorruptDataException notDecimal(Bytes bytes) {
        return new CorruptDataException(
                ErrorCode.CODEC_FAILURE,
                "a key is not a decimal number; was it written with another key codec?",
                "bytes",
                bytes.length());
    }
}
