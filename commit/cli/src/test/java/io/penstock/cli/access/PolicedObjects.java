package io.penstock.cli.access;

import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.Collection;
import java.util.Optional;

/** Asks a {@link PolicyGuard} before each call, as S3 asks IAM. */
final class PolicedObjects implements ObjectStore {
    private final ObjectStore inner;
    private final PolicyGuard police;
    private final String bucket;

    PolicedObjects(ObjectStore inner, PolicyGuard police) {
        this(inner, police, PolicyGuard.STORE.bucketArn());
    }

    /** @param bucket its resource name */
    PolicedObjects(ObjectStore inner, PolicyGuard police, String bucket) {
        this.inner = inner;
        this.police = police;
        this.bucket = bucket;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        askToRead(key);
        return inner.get(key);
    }

    @Override
    public TimedObject getTimed(String key) {
        askToRead(key);
        return inner.getTimed(key);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        askToRead(key);
        return inner.getRange(key, offset, length);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        askToRead(key);
        return inner.getIfChanged(key, known);
    }

    /** Without the right to list, S3 answers 403 for what is not there. */
    private void askToRead(String key) {
        police.ask("s3:GetObject", bucket, key);
        police.askBucket("s3:ListBucket", bucket);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        police.ask("s3:PutObject", bucket, key);
        if (condition instanceof WriteCondition.IfVersion) {
            police.ask("s3:GetObject", bucket, key);
        }
        return inner.put(key, body, condition);
    }

    /** The right to put an object is the right to upload it, but not to abort that. */
    @Override
    public ObjectUpload upload(String key, int partBytes) {
        police.ask("s3:PutObject", bucket, key);
        ObjectUpload upload = inner.upload(key, partBytes);
        return new ObjectUpload() {
            @Override
            public void part(int number, Bytes part) {
                police.ask("s3:PutObject", bucket, key);
                upload.part(number, part);
            }

            @Override
            public void complete(int parts) {
                police.ask("s3:PutObject", bucket, key);
                upload.complete(parts);
            }

            @Override
            public void abort() {
                police.ask("s3:AbortMultipartUpload", bucket, key);
                upload.abort();
            }
        };
    }

    @Override
    public void delete(String key) {
        police.ask("s3:DeleteObject", bucket, key);
        inner.delete(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(key -> police.ask("s3:DeleteObject", bucket, key));
        inner.deleteAll(keys);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        police.askBucket("s3:ListBucket", bucket);
        return inner.list(prefix, startAfter, limit);
    }

    @Override
    public void close() {
        inner.close();
    }
}
