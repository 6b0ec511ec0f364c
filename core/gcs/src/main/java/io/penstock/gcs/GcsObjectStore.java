package io.penstock.gcs;

import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpResponseException;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.StorageObject;
import com.google.auth.Credentials;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.remote.ObjectAnswers;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * An object store on one bucket of Google Cloud Storage; an object's version is its generation. Each call is one
 * request and one attempt (the removal of more than 100 objects, the end of an upload, and a read after a 404 that may
 * not be Google's, are several); put {@link io.penstock.core.object.ObjectStores#retrying} above it. {@link
 * GcsOutcomes} decides what a failure means.
 *
 * <p>Exceptions name the server's code, status and request id. They have no cause, and no text of the library's.
 *
 * <p>Safe for use by many threads.
 */
public final class GcsObjectStore implements ObjectStore {
    static final String CONTENT_TYPE = "application/octet-stream";

    /** The parts of an object's metadata that answers are made of. */
    private static final String FIELDS = "name,size,generation,updated";

    /** The most entries of one answer. */
    private static final int ENTRIES_MAX = 1_000;

    /** The kind that an answer to a list says it is of. */
    static final String KIND = "storage#objects";

    /** The most calls of one batch. */
    private static final int BATCH_MAX = 100;

    /** A generation that no object has: generations are microseconds since 1970. */
    private static final long NEVER = 1;

    private static final Pattern GENERATION = Pattern.compile("[1-9][0-9]{0,17}");

    private final Storage client;
    private final String bucket;
    private volatile boolean closed;

    private GcsObjectStore(Storage client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    /**
     * Opens the bucket of {@code settings}, and creates it if it is missing and the settings allow that.
     *
     * @throws io.penstock.core.InvalidRequestException when there are no credentials, or the server is another
     * @throws io.penstock.core.RefusedException when the bucket is missing or not accessible
     * @throws UnavailableException when the server cannot be reached
     */
    public static GcsObjectStore open(GcsSettings settings) {
        Optional<Credentials> credentials = GcsClients.credentials(settings);
        Storage client = GcsClients.build(settings, credentials);
        new GcsBucket(client, settings, credentials).require();
        return new GcsObjectStore(client, settings.bucket());
    }

    @Override
    public Optional<StoredObject> get(String key) {
        ObjectRules.checkKey(key);
        return call(
                ObjectCall.READ,
                () -> Optional.of(media(client.objects().get(bucket, key), (object, headers) -> object)),
                GcsObjectStore::emptyIfMissing);
    }

    @Override
    public TimedObject getTimed(String key) {
        ObjectRules.checkKey(key);
        return call(
                ObjectCall.READ,
                () -> {
                    try {
                        return media(
                                client.objects().get(bucket, key),
                                (object, headers) -> new TimedObject(Optional.of(object), timeOf(headers)));
                    } catch (HttpResponseException failure) {
                        if (GcsOutcomes.isMissing(GcsOutcomes.failure(failure))) {
                            return new TimedObject(Optional.empty(), timeOf(failure.getHeaders()));
                        }
                        throw failure;
                    }
                },
                failure -> Optional.empty());
    }

    private long timeOf(HttpHeaders headers) {
        return ObjectAnswers.timeOfRead("gcs", ObjectAnswers.millis(headers.getDate()), "bucket", bucket);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkKey(key);
        ObjectRules.checkRange(offset, length);
        if (length == 0) {
            return head(key);
        }
        // A range names its last byte, and may end after the object.
        long last = offset > Long.MAX_VALUE - length ? Long.MAX_VALUE : offset + length - 1;
        return call(
                ObjectCall.READ,
                () -> {
                    Storage.Objects.Get request = client.objects().get(bucket, key);
                    request.getRequestHeaders().setRange("bytes=" + offset + "-" + last);
                    // A server may ignore the range.
                    return Optional.of(media(
                            request,
                            (object, headers) ->
                                    headers.getContentRange() == null ? object.range(offset, length) : object));
                },
                failure -> failure.status() == 416 ? Optional.of(head(key)) : emptyIfMissing(failure));
    }

    /** The object without its body. */
    private Optional<StoredObject> head(String key) {
        return call(
                ObjectCall.READ,
                () -> {
                    StorageObject found =
                            client.objects().get(bucket, key).setFields(FIELDS).execute();
                    return Optional.of(new StoredObject(Bytes.EMPTY, version(found), updatedMillis(found)));
                },
                GcsObjectStore::emptyIfMissing);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        ObjectRules.checkKey(key);
        return call(
                ObjectCall.READ,
                () -> {
                    Storage.Objects.Get request =
                            client.objects().get(bucket, key).setIfGenerationNotMatch(generation(known));
                    StoredObject found = media(request, (object, headers) -> object);
                    return found.version().equals(known) ? new Refreshed.Unchanged() : new Refreshed.Changed(found);
                },
                failure -> {
                    if (failure.status() == 304) {
                        return Optional.of(new Refreshed.Unchanged());
                    }
                    return GcsOutcomes.isMissing(failure) ? Optional.of(new Refreshed.Missing()) : Optional.empty();
                });
    }

    private <T> T media(Storage.Objects.Get request, BiFunction<StoredObject, HttpHeaders, T> use) throws IOException {
        HttpResponse response = execute(request);
        try (InputStream body = response.getContent()) {
            HttpHeaders headers = response.getHeaders();
            ObjectAnswers.requireEnd(
                    headers.getContentLength(), headers.getFirstHeaderStringValue("transfer-encoding"));
            Object generation = headers.getFirstHeaderStringValue("x-goog-generation");
            OptionalLong modified = ObjectAnswers.millis(headers.getLastModified());
            StoredObject object = new StoredObject(
                    ObjectAnswers.body(request.getObject(), headers.getContentLength(), body),
                    new ObjectVersion(String.valueOf(ObjectAnswers.told(generation))),
                    ObjectAnswers.told(modified.isPresent() ? modified.getAsLong() : null));
            return use.apply(object, headers);
        }
    }

    /** Asks for the metadata after a 404 that may be of something between: the answer to that has a reason. */
    private HttpResponse execute(Storage.Objects.Get request) throws IOException {
        try {
            return request.executeMedia();
        } catch (HttpResponseException failure) {
            if (GcsOutcomes.isForeign(GcsOutcomes.failure(failure))) {
                client.objects()
                        .get(bucket, request.getObject())
                        .setFields("generation")
                        .execute();
            }
            throw failure;
        }
    }

    private static ObjectVersion version(StorageObject object) {
        return new ObjectVersion(ObjectAnswers.told(object.getGeneration()).toString());
    }

    private static long updatedMillis(StorageObject object) {
        return ObjectAnswers.told(object.getUpdated()).getValue();
    }

    /** The generation of a version; one that is of no object for a version of another store. */
    private static long generation(ObjectVersion version) {
        return GENERATION.matcher(version.tag()).matches() ? Long.parseLong(version.tag()) : NEVER;
    }

    private static <T> Optional<Optional<T>> emptyIfMissing(RequestFailure failure) {
        return GcsOutcomes.isMissing(failure) ? Optional.of(Optional.empty()) : Optional.empty();
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        ObjectRules.checkKey(key);
        Optional<Long> match = switch (condition) {
            case WriteCondition.Always always -> Optional.empty();
            case WriteCondition.IfAbsent absent -> Optional.of(0L);
            case WriteCondition.IfVersion version -> Optional.of(generation(version.version()));
        };
        return call(
                match.isEmpty() ? ObjectCall.PUT : ObjectCall.CONDITIONAL_PUT,
                () -> {
                    ByteArrayContent content =
                            new ByteArrayContent(CONTENT_TYPE, body.array(), body.offset(), body.length());
                    Storage.Objects.Insert request = client.objects()
                            .insert(bucket, null, content)
                            .setName(key)
                            .setFields(FIELDS);
                    match.ifPresent(request::setIfGenerationMatch);
                    request.setDisableGZipContent(true).getMediaHttpUploader().setDirectUploadEnabled(true);
                    HttpResponse response = request.executeUnparsed();
                    StorageObject written = response.parseAs(StorageObject.class);
                    return new Written(version(written), timeOfPut(response.getHeaders()));
                },
                failure -> Optional.empty());
    }

    private long timeOfPut(HttpHeaders headers) {
        return ObjectAnswers.timeOfPut("gcs", ObjectAnswers.millis(headers.getDate()), "bucket", bucket);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        return GcsUpload.begin(this, client, bucket, key, partBytes);
    }

    @Override
    public void delete(String key) {
        ObjectRules.checkKey(key);
        call(
                ObjectCall.DELETE,
                () -> {
                    client.objects().delete(bucket, key).execute();
                    return true;
                },
                failure -> GcsOutcomes.isMissing(failure) ? Optional.of(true) : Optional.empty());
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(ObjectRules::checkKey);
        List<String> rest = List.copyOf(keys);
        for (int from = 0; from < rest.size(); from += BATCH_MAX) {
            List<String> batch = rest.subList(from, Math.min(from + BATCH_MAX, rest.size()));
            List<RequestFailure> failed =
                    call(ObjectCall.DELETE, () -> deleteBatch(batch), failure -> Optional.empty());
            failed.stream()
                    .filter(failure -> !GcsOutcomes.isMissing(failure))
                    .findFirst()
                    .ifPresent(failure -> {
                        throw failed(ObjectCall.DELETE, failure);
                    });
        }
    }

    private List<RequestFailure> deleteBatch(List<String> keys) throws IOException {
        List<RequestFailure> failed = new ArrayList<>();
        BatchRequest batch = client.batch();
        for (String key : keys) {
            client.objects().delete(bucket, key).queue(batch, new JsonBatchCallback<Void>() {
                @Override
                public void onSuccess(Void nothing, HttpHeaders headers) {}

                @Override
                public void onFailure(GoogleJsonError error, HttpHeaders headers) {
                    failed.add(GcsOutcomes.failure(error));
                }
            });
        }
        batch.execute();
        return failed;
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        ObjectRules.checkList(prefix, startAfter, limit);
        return call(ObjectCall.READ, () -> listed(prefix, startAfter, limit), failure -> Optional.empty());
    }

    /** Lists in one request, unless an answer has no object and a token: it is not the end then. */
    private Listing listed(String prefix, String startAfter, int limit) throws IOException {
        int skip = startAfter.isEmpty() ? 0 : 1; // the server begins with the key itself
        Storage.Objects.List request = client.objects()
                .list(bucket)
                .setPrefix(prefix)
                .setMaxResults(Math.min((long) limit + skip, ENTRIES_MAX))
                .setFields("kind,nextPageToken,items(" + FIELDS + ")");
        if (skip > 0) {
            request.setStartOffset(startAfter);
        }
        List<Listing.Entry> entries;
        String token;
        do {
            Objects page = page(request);
            entries = (page.getItems() == null ? List.<StorageObject>of() : page.getItems())
                    .stream()
                            .map(GcsObjectStore::entry)
                            .filter(entry -> skip == 0 || !entry.key().equals(startAfter))
                            .toList();
            token = page.getNextPageToken();
            request.setPageToken(token);
        } while (entries.isEmpty() && token != null);
        ObjectAnswers.requireOrder(bucket, startAfter, entries);
        return new Listing(
                entries.subList(0, Math.min(limit, entries.size())), token != null || entries.size() > limit);
    }

    /** Refuses what does not say that it is a list: it must not count as an empty one. */
    private Objects page(Storage.Objects.List request) throws IOException {
        Objects page = request.execute();
        if (!KIND.equals(page.getKind())) {
            throw new UnavailableException(
                    "the answer to a list is none of gcs; check endpoint and proxies on the way", "bucket", bucket);
        }
        return page;
    }

    private static Listing.Entry entry(StorageObject object) {
        return new Listing.Entry(
                object.getName(),
                ObjectAnswers.told(object.getSize()).longValue(),
                version(object),
                updatedMillis(object));
    }

    /** Makes a request; {@code answer} may interpret a failure as an answer. */
    <T> T call(ObjectCall kind, Callable<T> request, Function<RequestFailure, Optional<T>> answer) {
        if (closed) {
            throw new ClosedException("the object store was closed; open it again", "bucket", bucket);
        }
        try {
            return request.call();
        } catch (StoreException own) {
            throw own;
        } catch (Exception e) { // of the library, of its parser, or of the user's credentials
            RequestFailure failure = GcsOutcomes.failure(e);
            return answer.apply(failure).orElseThrow(() -> failed(kind, failure));
        }
    }

    private StoreException failed(ObjectCall kind, RequestFailure failure) {
        return GcsOutcomes.of(kind, failure).exception("gcs", kind.text(), failure, "bucket", bucket);
    }

    @Override
    public void close() {
        closed = true; // The JDK keeps the connections, for all stores.
    }
}
