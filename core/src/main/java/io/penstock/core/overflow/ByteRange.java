package io.penstock.core.overflow;

import io.penstock.core.InvalidRequestException;

/**
 * A range of the bytes of a payload. Immutable.
 *
 * @param offset of the first byte
 * @param length in bytes
 */
public record ByteRange(long offset, long length) {
    /** The whole of any payload; no other range has a negative length. */
    public static final ByteRange ALL = new ByteRange(0, -1);

    /** @throws InvalidRequestException when either is negative */
    public static ByteRange of(long offset, long length) {
        if (offset < 0 || length < 0) {
            throw new InvalidRequestException(
                    "a range of a payload is negative; give an offset and a length from 0 on",
                    "offset",
                    offset,
                    "length",
                    length);
        }
        return new ByteRange(offset, length);
    }

    /**
     * This range of a payload of so many bytes.
     *
     * @throws InvalidRequestException when it does not lie within
     */
    public ByteRange within(long bytes) {
        if (equals(ALL)) {
            return new ByteRange(0, bytes);
        }
        if (offset > bytes || length > bytes - offset) {
            throw new InvalidRequestException(
                    "the range does not lie within the payload; ask for a part of it",
                    "offset",
                    offset,
                    "length",
                    length,
                    "payloadBytes",
                    bytes);
        }
        return this;
    }
}
