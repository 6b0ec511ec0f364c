package io.penstock.core.pool.disk;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.pool.PageTier;
import io.penstock.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/** Files of the disk tier, and their names. Nothing is refused: what does not fit is not there. */
public final class TierTargets {
    private static final PageId ID = new PageId(new TreeId(5), 7);
    private static final int AT_CRC = 8;

    private TierTargets() {}

    public static List<FuzzTarget> all() {
        Bytes page = Bytes.wrap(new byte[100]);
        PageTier.Kept kept = new PageTier.Kept(page, new ObjectVersion("\"0123456789abcdef\""));
        byte[] file = Bytes.wrap(TierFile.header(ID, kept)).concat(page).toArray();
        return List.of(
                FuzzTarget.of("tier-file", List.of(file), bytes -> TierFile.read(ID, bytes))
                        .sealed(TierTargets::seal),
                FuzzTarget.ofText("tier-name", List.of(TierFile.name(ID)), TierFile::page));
    }

    private static byte[] seal(byte[] file) {
        if (file.length >= AT_CRC + Integer.BYTES) {
            CRC32C crc = new CRC32C();
            crc.update(file, 0, AT_CRC);
            crc.update(file, AT_CRC + Integer.BYTES, file.length - AT_CRC - Integer.BYTES);
            ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(AT_CRC, (int) crc.getValue());
        }
        return file;
    }
}
