package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Heads and names of the local cloud's files of objects. */
public final class LocalObjectTargets {
    private static final int AT_SUM = ObjectHeader.BYTES - Integer.BYTES;

    private LocalObjectTargets() {}

    public static List<FuzzTarget> all() {
        byte[] file = Arrays.copyOf(
                ObjectHeader.ofUpload(4711, 1_700_000_000_000L, 20).encode().array(), 60);
        byte[] summed = Arrays.copyOf(
                ObjectHeader.of(4711, 1_700_000_000_000L, Bytes.utf8("body"))
                        .encode()
                        .array(),
                44);
        return List.of(
                FuzzTarget.of("object-file", List.of(file, summed), bytes -> {
                            byte[] head = Arrays.copyOf(bytes, ObjectHeader.BYTES);
                            int length = Math.min(bytes.length, ObjectHeader.BYTES);
                            ObjectHeader.decode(head, length, bytes.length, Path.of("x"))
                                    .version();
                        })
                        .sealed(LocalObjectTargets::seal),
                FuzzTarget.ofText("object-file-name", List.of("books.json.o", "a%2Fb%FF.d", "k.c"), KeyPaths::parse));
    }

    private static byte[] seal(byte[] file) {
        if (file.length >= ObjectHeader.BYTES) {
            CRC32C sum = new CRC32C();
            sum.update(file, 0, AT_SUM);
            ByteBuffer.wrap(file).putInt(AT_SUM, (int) sum.getValue());
        }
        return file;
    }
}
