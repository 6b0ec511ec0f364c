package io.penstock.core.object.s3;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads the body of an answer into an array of its exact size. */
final class S3Bodies {
    private S3Bodies() {}

    static StoredObject read(String key, GetObjectResponse response, InputStream body) throws IOException {
        Long announced = response.contentLength();
        byte[] bytes =
                announced == null ? upToTheBound(key, body) : exactly(ObjectRules.wholeBytes(announced, key), body);
        return new StoredObject(
                Bytes.wrap(bytes), S3Versions.version(response.eTag()), S3Dates.lastModified(response.lastModified()));
    }

    private static byte[] upToTheBound(String key, InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(ObjectRules.WHOLE_BYTES_MAX + 1);
        ObjectRules.wholeBytes(bytes.length, key);
        return bytes;
    }

    private static byte[] exactly(int length, InputStream body) throws IOException {
        byte[] bytes = new byte[length];
        int read = body.readNBytes(bytes, 0, bytes.length);
        if (read < bytes.length) {
            throw new EOFException("the body ended early");
        }
        return bytes;
    }
}
