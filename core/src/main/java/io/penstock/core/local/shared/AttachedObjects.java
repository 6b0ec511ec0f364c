package io.penstock.core.local.shared;

import io.penstock.core.Bytes;
import io.penstock.core.object.Answered;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The object store of a directory that another process owns. */
record AttachedObjects(Attachment owner) implements ObjectStore {
    @Override
    public Optional<StoredObject> get(String key) {
        return owner.call(Call.GET, key);
    }

    @Override
    public Answered look(String key) {
        return owner.call(Call.LOOK, key);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return owner.call(Call.GET_RANGE, key, offset, length);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return owner.call(Call.GET_IF_CHANGED, key, known);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        return owner.call(Call.PUT, key, body, condition);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        return new Upload(owner, owner.call(Call.BEGIN_UPLOAD, key, partBytes));
    }

    @Override
    public void delete(String key) {
        owner.tell(Call.DELETE, key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        owner.tell(Call.DELETE_ALL, List.copyOf(keys));
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        return owner.call(Call.LIST, prefix, startAfter, limit);
    }

    @Override
    public void close() {
        owner.close();
    }

    /** An upload that the owner has begun for this connection. */
    private record Upload(Attachment owner, long number) implements ObjectUpload {
        @Override
        public void part(int place, Bytes part) {
            owner.tell(Call.UPLOAD_PART, number, place, part);
        }

        @Override
        public void complete(int parts) {
            owner.tell(Call.COMPLETE_UPLOAD, number, parts);
        }

        @Override
        public void abort() {
            owner.tell(Call.ABORT_UPLOAD, number);
        }
    }
}
