package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectUpload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An upload whose parts are written to their places in an unfinished file; that gets its header and its name in the
 * end.
 */
abstract class LocalUpload implements ObjectUpload {
    private final String key;
    private final int partBytes;
    private final Path written;
    private final Disk disk;
    private volatile boolean placed;

    LocalUpload(String key, int partBytes, Path written, Disk disk) {
        this.key = key;
        this.partBytes = partBytes;
        this.written = written;
        this.disk = disk;
    }

    /** The header of the finished file. */
    abstract ObjectHeader header(long bodyBytes);

    /** Gives the file the object's name. */
    abstract void place();

    /** Makes the name durable. */
    abstract void flush();

    @Override
    public void part(int number, Bytes part) {
        ObjectRules.checkPart(number, part, partBytes);
        try {
            disk.writeAt(written, ObjectHeader.BYTES + (number - 1L) * partBytes, part);
        } catch (IOException e) {
            throw DiskFailure.of("a part of an object could not be written", e, "key", key);
        }
    }

    @Override
    public void complete(int parts) {
        if (!placed) {
            writeHeader(parts);
            place();
            placed = true;
        }
        flush();
    }

    private void writeHeader(int parts) {
        try {
            long bodyBytes = Files.exists(written) ? Files.size(written) - ObjectHeader.BYTES : 0;
            if (Math.ceilDiv(bodyBytes, partBytes) != parts) {
                throw new InvalidRequestException(
                        "the upload does not have this number of parts; send the missing ones",
                        "parts",
                        parts,
                        "bytes",
                        bodyBytes);
            }
            disk.writeHeader(written, header(bodyBytes).encode());
        } catch (IOException e) {
            throw DiskFailure.of("an object could not be completed", e, "key", key);
        }
    }

    @Override
    public void abort() {
        try {
            disk.deleteIfExists(written);
        } catch (IOException e) {
            throw new UnavailableException("an unfinished object could not be removed; see the cause", e, "key", key);
        }
    }
}
