package io.penstock.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A read-only slice of a byte array: the form of every key and payload. Ordered as unsigned bytes, lexicographically, a
 * prefix before what it begins.
 *
 * <p>Immutable as long as a wrapped array is not changed, and safe for use by many threads. A slice keeps the whole
 * array it was cut from alive; {@link #copy()} lets go of it.
 */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Wraps {@code array} without copying it; the caller must not change it afterwards. */
    public static Bytes wrap(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    /** Wraps {@code length} bytes of {@code array} from {@code offset} without copying them. */
    public static Bytes wrap(byte[] array, int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, array.length);
        return new Bytes(array, offset, length);
    }

    /**
     * Wraps a part of an array, as {@link #wrap(byte[], int, int)} does, for codecs that have checked the bounds
     * before: only assertions check them again.
     */
    public static Bytes wrapTrusted(byte[] array, int offset, int length) {
        assert (offset | length | array.length - offset - length) >= 0 : "out of bounds";
        return new Bytes(array, offset, length);
    }

    /** The UTF-8 form of {@code text}. */
    public static Bytes utf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    public byte at(int index) {
        java.util.Objects.checkIndex(index, length);
        return array[offset + index];
    }

    /** The bytes from {@code from} (inclusive) to {@code to} (exclusive), sharing this slice's array. */
    public Bytes slice(int from, int to) {
        java.util.Objects.checkFromToIndex(from, to, length);
        return new Bytes(array, offset + from, to - from);
    }

    /** Returns these bytes in an array of their own. */
    public Bytes copy() {
        return wrap(toArray());
    }

    /** A fresh array with these bytes. */
    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** Copies all bytes to {@code target} at {@code targetOffset}. */
    public void copyTo(byte[] target, int targetOffset) {
        System.arraycopy(array, offset, target, targetOffset, length);
    }

    /** Returns these bytes followed by {@code next}, in a fresh array. */
    public Bytes concat(Bytes next) {
        byte[] joined = Arrays.copyOfRange(array, offset, offset + length + next.length);
        // copyOfRange may have copied bytes after this slice too; they are overwritten here.
        next.copyTo(joined, length);
        return wrap(joined);
    }

    /** Each byte with all its bits inverted, in a fresh array: sorts in the opposite order. */
    public Bytes complement() {
        byte[] turned = toArray();
        for (int i = 0; i < turned.length; i++) {
            turned[i] = (byte) ~turned[i];
        }
        return wrap(turned);
    }

    public boolean startsWith(Bytes prefix) {
        return length >= prefix.length
                && Arrays.equals(
                        array,
                        offset,
                        offset + prefix.length,
                        prefix.array,
                        prefix.offset,
                        prefix.offset + prefix.length);
    }

    /** The number of leading bytes that this slice and {@code other} share. */
    public int sharedPrefix(Bytes other) {
        int mismatch =
                Arrays.mismatch(array, offset, offset + length, other.array, other.offset, other.offset + other.length);
        return mismatch < 0 ? length : mismatch;
    }

    /** The smallest key above every key that starts with these bytes, or null when there is none (all bytes 0xff). */
    public @Nullable Bytes prefixEnd() {
        for (int last = length - 1; last >= 0; last--) {
            if (array[offset + last] != (byte) 0xff) {
                byte[] end = Arrays.copyOfRange(array, offset, offset + last + 1);
                end[last]++;
                return wrap(end);
            }
        }
        return null;
    }

    /** Compares with {@code otherLength} bytes of {@code other}, unsigned: for a search in an encoded page. */
    public int compareTo(byte[] other, int otherOffset, int otherLength) {
        return Arrays.compareUnsigned(array, offset, offset + length, other, otherOffset, otherOffset + otherLength);
    }

    /** Compares the bytes from {@code from} on with {@code otherLength} bytes of {@code other}, unsigned. */
    public int compareTailTo(int from, byte[] other, int otherOffset, int otherLength) {
        return Arrays.compareUnsigned(
                array, offset + from, offset + length, other, otherOffset, otherOffset + otherLength);
    }

    @Override
    public int compareTo(Bytes other) {
        return compareTo(other.array, other.offset, other.length);
    }

    /** The backing array, for codecs and checksums that must not copy; read only. */
    public byte[] array() {
        return array;
    }

    /** The offset of these bytes in {@link #array()}. */
    public int offset() {
        return offset;
    }

    public String toUtf8() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /** The SHA-256 digest of these bytes, as 64 hex digits. */
    public String sha256() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(array, offset, length);
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public String toHex() {
        return HexFormat.of().formatHex(array, offset, offset + length);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Bytes other
                && Arrays.equals(
                        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** The length alone: keys and payloads must not reach a log or a message by accident. */
    @Override
    public String toString() {
        return "bytes[" + length + "]";
    }
}
