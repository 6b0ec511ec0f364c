package io.penstock.core.object.s3;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads the body of an answer into an array of its exact size. */
final class S3Bodies {
    private S3Bodies() {}

    static StoredObject read(GetObjectResponse response, InputStream body) throws IOException {
        Long announced = response.contentLength();
        byte[] bytes = announced == null ? body.readAllBytes() : exactly(announced, body);
        return new StoredObject(
                Bytes.wrap(bytes),
                S3Versions.version(response.eTag()),
                response.lastModified().toEpochMilli());
    }

    private static byte[] exactly(long length, InputStream body) throws IOException {
        if (length > Integer.MAX_VALUE - 8) {
            throw new InvalidRequestException("an object is too large to read whole; read ranges", "bytes", length);
        }
        byte[] bytes = new byte[(int) length];
        int read = body.readNBytes(bytes, 0, bytes.length);
        if (read < bytes.length) {
            throw new EOFException("the body ended early");
        }
        return bytes;
    }
}
