package io.penstock.core.pool.disk;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.pool.PageTier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes and the name of one file of the tier: a header, the object's version, the page. Pure. It detects every
 * change of a file, and never fails on one.
 *
 * <pre>
 * magic 4 | format 2 | version bytes 2 | crc32c 4 | page bytes 4 | tree 8 | number 8 | version | page
 * </pre>
 */
final class TierFile {
    /** The magic number of a file of the tier: "PNTR" as bytes. */
    private static final int MAGIC = 'P' | 'N' << 8 | 'T' << 16 | 'R' << 24;

    private static final short FORMAT = 1;
    private static final int AT_CRC = 8;
    private static final int BEHIND_CRC = 12;
    private static final int HEADER_BYTES = 32;

    /** The longest version that is kept: S3's ETags have 34 or 38 characters. */
    private static final int VERSION_BYTES_MAX = 1024;

    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})\\.page");

    /** The names of files being written: the name of the page's file, a dot, and a number. */
    private static final Pattern UNFINISHED = Pattern.compile("[0-9a-f]{16}-[0-9a-f]{16}\\.page\\.[0-9]+");

    private TierFile() {}

    static String name(PageId id) {
        return id.tree().hex() + "-" + id.hex() + ".page";
    }

    /** The page of the file with this name; null when the file is foreign. */
    static @Nullable PageId page(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? new PageId(
                        TreeId.fromHex(matcher.group(1)),
                        TreeId.fromHex(matcher.group(2)).value())
                : null;
    }

    static boolean isUnfinished(String name) {
        return UNFINISHED.matcher(name).matches();
    }

    /** The length of a page's file; 0 when the page cannot be kept. */
    static long length(PageTier.Kept page) {
        int version = versionBytes(page).length;
        return version > VERSION_BYTES_MAX
                ? 0
                : (long) HEADER_BYTES + version + page.bytes().length();
    }

    private static byte[] versionBytes(PageTier.Kept page) {
        return page.version().tag().getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes before those of the page. */
    static byte[] header(PageId id, PageTier.Kept page) {
        byte[] version = versionBytes(page);
        byte[] header = new byte[HEADER_BYTES + version.length];
        ByteBuffer buffer = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(MAGIC).putShort(FORMAT).putShort((short) version.length).putInt(0);
        buffer.putInt(page.bytes().length()).putLong(id.tree().value()).putLong(id.number());
        buffer.put(version);
        Bytes bytes = page.bytes();
        CRC32C crc = new CRC32C();
        crc.update(header, 0, AT_CRC);
        crc.update(header, BEHIND_CRC, header.length - BEHIND_CRC);
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        buffer.putInt(AT_CRC, (int) crc.getValue());
        return header;
    }

    /** The content of a file; empty unless it is, to the last bit, what was written for this page. */
    static Optional<PageTier.Kept> read(PageId id, byte[] file) {
        if (file.length < HEADER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        boolean ours = buffer.getInt() == MAGIC && buffer.getShort() == FORMAT;
        int version = buffer.getShort();
        int crc = buffer.getInt();
        int length = buffer.getInt();
        boolean same = buffer.getLong() == id.tree().value() && buffer.getLong() == id.number();
        boolean whole = version >= 0 && length >= 0 && (long) HEADER_BYTES + version + length == file.length;
        if (!ours || !same || !whole || crc != checksum(file)) {
            return Optional.empty();
        }
        String tag = new String(file, HEADER_BYTES, version, StandardCharsets.UTF_8);
        return Optional.of(new PageTier.Kept(Bytes.wrap(file, HEADER_BYTES + version, length), new ObjectVersion(tag)));
    }

    private static int checksum(byte[] file) {
        CRC32C crc = new CRC32C();
        crc.update(file, 0, AT_CRC);
        crc.update(file, BEHIND_CRC, file.length - BEHIND_CRC);
        return (int) crc.getValue();
    }
}
