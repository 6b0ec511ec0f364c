package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.compress.Compressor;
import io.penstock.core.compress.zstd.ZstdLibrary;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The form of a page in its object: plain, or compressed after a header of its own, by which a reader knows it. Length
 * and checksum have the same places as in a page. A change of the bytes needs a new number here and in {@code
 * docs/FORMATS.md}.
 *
 * <pre>
 * magic 4 | format 2 | algorithm 1 | 0 | length 4 | checksum 4 | length of the page 4 | compressed bytes 4 |
 * compressed page | zeros
 * </pre>
 *
 * <p>The zeros make the object at least one {@value #RATIO_MAX}th of its page. So a reader never allocates more than a
 * fixed multiple of its input, even if the object is hostile.
 */
public final class StoredPage {
    /** The magic number of a compressed page: "PNSZ" as bytes. */
    static final int MAGIC = 'P' | 'N' << 8 | 'S' << 16 | 'Z' << 24;

    static final int VERSION = 1;

    static final int AT_ALGORITHM = 6;
    static final int AT_ZERO = 7;
    static final int AT_PAGE_BYTES = 16;
    static final int AT_COMPRESSED_BYTES = 20;

    /** The bytes of an object that {@link #describe} needs. */
    public static final int HEAD_BYTES = 24;

    /** The most bytes of a page that one byte of its object may stand for. */
    static final int RATIO_MAX = 256;

    /** The largest page that any settings allow. Larger pages stay plain. */
    static final int PAGE_BYTES_MAX = 32 << 20;

    /** The inverse of the part of a page that compression must save; otherwise it is not worth the reader's time. */
    private static final int PARTS_SPARED = 8;

    private StoredPage() {}

    /**
     * An object's description of itself.
     *
     * @param bytes the length of the object
     * @param compression the compression of its page
     */
    public record Description(int bytes, Compression compression) {}

    /** The bytes of a page's object. */
    public static Bytes encode(PageImage page, Compression compression) {
        Bytes plain = page.bytes();
        if (compression == Compression.NONE || plain.length() > PAGE_BYTES_MAX) {
            return plain;
        }
        byte[] target = new byte[plain.length() - plain.length() / PARTS_SPARED];
        int compressed = compressor(compression).compress(plain, target, HEAD_BYTES);
        if (compressed == 0) {
            return plain;
        }
        byte[] stored = new byte[Math.max(HEAD_BYTES + compressed, smallest(plain.length()))];
        System.arraycopy(target, HEAD_BYTES, stored, HEAD_BYTES, compressed);
        PageFormat.putI32(stored, PageFormat.AT_MAGIC, MAGIC);
        PageFormat.putU16(stored, PageFormat.AT_FORMAT, VERSION);
        stored[AT_ALGORITHM] = compression.code();
        PageFormat.putI32(stored, PageFormat.AT_LENGTH, stored.length);
        PageFormat.putI32(stored, AT_PAGE_BYTES, plain.length());
        PageFormat.putI32(stored, AT_COMPRESSED_BYTES, compressed);
        PageFormat.putI32(stored, PageFormat.AT_CRC, PageFormat.checksum(stored, 0, stored.length));
        return Bytes.wrap(stored);
    }

    /** The shortest object allowed for a page of this size, by {@link #RATIO_MAX}. */
    private static int smallest(int pageBytes) {
        return (pageBytes + RATIO_MAX - 1) / RATIO_MAX;
    }

    /** Checks that this compression is usable here; otherwise a client would learn it too late to say so. */
    public static void requireUsable(Compression compression) {
        if (compression != Compression.NONE) {
            compressor(compression);
        }
    }

    /**
     * Checks the bytes of an object and makes them a page.
     *
     * @param expected the page it must be
     * @param objectKey the source of the bytes, for the message
     * @throws CorruptDataException when anything is wrong
     * @throws io.penstock.core.InvalidRequestException when the library that decompresses is missing
     */
    public static PageImage decode(Bytes stored, PageId expected, String objectKey) {
        return PageImage.decode(isCompressed(stored) ? decompress(stored, objectKey) : stored, expected, objectKey);
    }

    /** Whether an object with this front is a compressed page. */
    public static boolean isCompressed(Bytes front) {
        return front.length() >= HEAD_BYTES && PageFormat.i32(front.array(), front.offset()) == MAGIC;
    }

    /** The description in an object's front; empty when it is not a page. */
    public static Optional<Description> describe(Bytes front) {
        if (front.length() < HEAD_BYTES) {
            return Optional.empty();
        }
        int magic = PageFormat.i32(front.array(), front.offset());
        Optional<Compression> compression = magic == PageFormat.MAGIC
                ? Optional.of(Compression.NONE)
                : Optional.of(front.at(AT_ALGORITHM))
                        .filter(code -> magic == MAGIC)
                        .flatMap(StoredPage::algorithm);
        return compression.map(algorithm -> new Description(length(front), algorithm));
    }

    /** The length of the whole object, from its front. */
    public static int length(Bytes front) {
        return PageFormat.i32(front.array(), front.offset() + PageFormat.AT_LENGTH);
    }

    private static Optional<Compression> algorithm(byte code) {
        for (Compression each : Compression.values()) {
            if (each != Compression.NONE && each.code() == code) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static Compressor compressor(Compression compression) {
        return switch (compression) {
            case ZSTD -> ZstdLibrary.open();
            case NONE -> throw new IllegalStateException("nothing to compress with");
        };
    }

    private static Bytes decompress(Bytes stored, String objectKey) {
        Compression algorithm = check(stored, objectKey);
        byte[] array = stored.array();
        byte[] page = new byte[PageFormat.i32(array, stored.offset() + AT_PAGE_BYTES)];
        int compressed = PageFormat.i32(array, stored.offset() + AT_COMPRESSED_BYTES);
        boolean whole = compressor(algorithm).decompress(stored.slice(HEAD_BYTES, HEAD_BYTES + compressed), page);
        require(whole, objectKey, "compressed page", "bytes=" + page.length, "others");
        return Bytes.wrap(page);
    }

    /** Makes all checks that are possible before anything is allocated. */
    private static Compression check(Bytes stored, String objectKey) {
        byte[] array = stored.array();
        int at = stored.offset();
        int format = PageFormat.u16(array, at + PageFormat.AT_FORMAT);
        require(format == VERSION, objectKey, "format version", VERSION, format);
        int length = stored.length();
        require(length(stored) == length, objectKey, "length", length(stored), length);
        int crc = PageFormat.i32(array, at + PageFormat.AT_CRC);
        int found = PageFormat.checksum(array, at, length);
        require(crc == found, objectKey, "checksum", hex(crc), hex(found));
        Optional<Compression> algorithm = algorithm(stored.at(AT_ALGORITHM));
        require(algorithm.isPresent(), objectKey, "algorithm", Compression.ZSTD.code(), stored.at(AT_ALGORITHM));
        require(stored.at(AT_ZERO) == 0, objectKey, "byte 7", 0, stored.at(AT_ZERO));
        int pageBytes = PageFormat.i32(array, at + AT_PAGE_BYTES);
        boolean isPage = pageBytes >= PageFormat.FIXED_BYTES && pageBytes <= PAGE_BYTES_MAX;
        require(isPage, objectKey, "page length", PageFormat.FIXED_BYTES + " to " + PAGE_BYTES_MAX, pageBytes);
        require(length >= smallest(pageBytes), objectKey, "length", "at least " + smallest(pageBytes), length);
        int compressed = PageFormat.i32(array, at + AT_COMPRESSED_BYTES);
        boolean fits = compressed > 0 && compressed <= length - HEAD_BYTES;
        require(fits, objectKey, "compressed bytes", "1 to " + (length - HEAD_BYTES), compressed);
        return algorithm.orElseThrow();
    }

    private static void require(boolean holds, String objectKey, String what, Object wanted, Object found) {
        if (!holds) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "a compressed page fails a check; do not trust it, restore it or run verify",
                    "key",
                    objectKey,
                    "check",
                    what,
                    "expected",
                    wanted,
                    "found",
                    found);
        }
    }

    private static String hex(int value) {
        return HexFormat.of().toHexDigits(value);
    }
}
