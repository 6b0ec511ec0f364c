package io.penstock.gcs;

import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.ComposeRequest;
import com.google.api.services.storage.model.StorageObject;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.remote.ObjectCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An upload whose parts are objects in the folder {@link #FOLDER}, from which the server composes the whole object, 32
 * at a time. The client's other way, a resumable upload, takes parts in their order only.
 */
final class GcsUpload implements ObjectUpload {
    /** The beginning of all keys of parts. No store has such a prefix. */
    static final String FOLDER = "penstock-uploads/";

    /** The most objects that are composed in one request. */
    private static final int SOURCES_MAX = 32;

    private final GcsObjectStore store;
    private final Storage client;
    private final String bucket;
    private final String key;
    private final String folder;
    private final int partBytes;
    private final Set<Integer> parts = ConcurrentHashMap.newKeySet();
    private final Set<String> written = ConcurrentHashMap.newKeySet();
    private volatile boolean done;

    private GcsUpload(GcsObjectStore store, Storage client, String bucket, String key, String folder, int partBytes) {
        this.store = store;
        this.client = client;
        this.bucket = bucket;
        this.key = key;
        this.folder = folder;
        this.partBytes = partBytes;
    }

    /** Begins an upload by an object whose generation names it. */
    static GcsUpload begin(GcsObjectStore store, Storage client, String bucket, String key, int partBytes) {
        String mark = FOLDER + key;
        String generation =
                store.put(mark, Bytes.EMPTY, WriteCondition.ALWAYS).version().tag();
        GcsUpload upload = new GcsUpload(store, client, bucket, key, mark + "." + generation + "/", partBytes);
        upload.written.add(mark);
        return upload;
    }

    @Override
    public void part(int number, Bytes part) {
        ObjectRules.checkPart(number, part, partBytes);
        String name = folder + number;
        written.add(name);
        store.put(name, part, WriteCondition.ALWAYS);
        parts.add(number);
    }

    @Override
    public void complete(int count) {
        List<String> sources = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            if (!parts.contains(number)) {
                throw new InvalidRequestException("a part of the upload is missing; send it", "part", number);
            }
            sources.add(folder + number);
        }
        if (!done) {
            for (int round = 0; sources.size() > SOURCES_MAX; round++) {
                sources = joined(sources, folder + "r" + round + "-");
            }
            compose(sources, key);
            done = true; // the parts were needed until now
        }
        abort();
    }

    private List<String> joined(List<String> sources, String target) {
        List<String> joined = new ArrayList<>();
        for (int from = 0; from < sources.size(); from += SOURCES_MAX) {
            written.add(target + from);
            compose(sources.subList(from, Math.min(from + SOURCES_MAX, sources.size())), target + from);
            joined.add(target + from);
        }
        return joined;
    }

    private void compose(List<String> sources, String target) {
        ComposeRequest request = new ComposeRequest()
                .setDestination(new StorageObject().setContentType(GcsObjectStore.CONTENT_TYPE))
                .setSourceObjects(sources.stream()
                        .map(source -> new ComposeRequest.SourceObjects().setName(source))
                        .toList());
        boolean there = store.call(
                ObjectCall.PUT,
                () -> {
                    client.objects()
                            .compose(bucket, target, request)
                            .setFields("generation")
                            .execute();
                    return true;
                },
                failure -> GcsOutcomes.isMissing(failure) ? Optional.of(false) : Optional.empty());
        if (!there) {
            throw new UnavailableException("parts of the upload are gone; start it again", "bucket", bucket);
        }
    }

    @Override
    public void abort() {
        store.deleteAll(List.copyOf(written));
    }
}
