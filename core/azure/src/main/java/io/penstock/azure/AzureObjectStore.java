package io.penstock.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
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
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object store on one container of Azure Blob Storage. Each call is one request and one attempt, except that {@link
 * #deleteAll} makes one for each object; put {@link io.penstock.core.object.ObjectStores#retrying} above it. {@link
 * AzureOutcomes} decides what a failure means.
 *
 * <p>Exceptions name the server's code, status and request id. They have no cause, and no text of the SDK's.
 *
 * <p>Safe for use by many threads.
 */
public final class AzureObjectStore implements ObjectStore {
    static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    /** The most entries of one answer that we ask for. */
    private static final int ENTRIES_MAX = 1_000;

    private static final DownloadRetryOptions ONCE = new DownloadRetryOptions().setMaxRetryRequests(0);

    private final BlobContainerClient client;
    private final String container;
    private volatile boolean closed;

    private AzureObjectStore(BlobContainerClient client) {
        this.client = client;
        this.container = client.getBlobContainerName();
    }

    /**
     * Opens the container of {@code settings}, and creates it if it is missing and the settings allow that.
     *
     * @throws io.penstock.core.InvalidRequestException when there are no credentials, or the server is another
     * @throws io.penstock.core.RefusedException when the container is missing or not accessible
     * @throws UnavailableException when the server cannot be reached
     */
    public static AzureObjectStore open(AzureSettings settings) {
        BlobContainerClient client = AzureClients.build(settings);
        new AzureBucket(client, settings).require();
        return new AzureObjectStore(client);
    }

    private BlockBlobClient blob(String key) {
        return client.getBlobClient(key).getBlockBlobClient();
    }

    @Override
    public Optional<StoredObject> get(String key) {
        ObjectRules.checkKey(key);
        return call(
                ObjectCall.READ,
                () -> Optional.of(download(key, null, null, (object, headers) -> object)),
                AzureObjectStore::emptyIfMissing);
    }

    @Override
    public TimedObject getTimed(String key) {
        ObjectRules.checkKey(key);
        return call(
                ObjectCall.READ,
                () -> {
                    try {
                        return download(
                                key, null, null, (object, date) -> new TimedObject(Optional.of(object), timeOf(date)));
                    } catch (BlobStorageException failure) {
                        if (AzureOutcomes.isMissing(AzureOutcomes.failure(failure))) {
                            return new TimedObject(
                                    Optional.empty(),
                                    timeOf(failure.getResponse().getHeaderValue(HttpHeaderName.DATE)));
                        }
                        throw failure;
                    }
                },
                noAnswer());
    }

    private long timeOf(@Nullable String date) {
        return ObjectAnswers.timeOfRead("azure", ObjectAnswers.millis(date), "container", container);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkKey(key);
        ObjectRules.checkRange(offset, length);
        if (length == 0) {
            return head(key);
        }
        return call(
                ObjectCall.READ,
                () -> Optional.of(download(key, new BlobRange(offset, (long) length), null, (object, date) -> object)),
                failure -> failure.status() == 416 ? Optional.of(head(key)) : emptyIfMissing(failure));
    }

    /** The object without its body. */
    private Optional<StoredObject> head(String key) {
        return call(
                ObjectCall.READ,
                () -> {
                    BlobProperties found = blob(key).getProperties();
                    return Optional.of(new StoredObject(
                            Bytes.EMPTY, ObjectAnswers.version(found.getETag()), millis(found.getLastModified())));
                },
                AzureObjectStore::emptyIfMissing);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        ObjectRules.checkKey(key);
        BlobRequestConditions changed = new BlobRequestConditions().setIfNoneMatch(ObjectAnswers.eTag(known));
        return call(
                ObjectCall.READ,
                () -> download(key, null, changed, (object, date) -> new Refreshed.Changed(object)),
                failure -> {
                    if (failure.status() == 304) {
                        return Optional.of(new Refreshed.Unchanged());
                    }
                    return AzureOutcomes.isMissing(failure) ? Optional.of(new Refreshed.Missing()) : Optional.empty();
                });
    }

    /** A use of a downloaded object and the {@code Date} of its answer. */
    private interface Use<T> {
        T of(StoredObject object, @Nullable String date);
    }

    private <T> T download(
            String key, @Nullable BlobRange range, @Nullable BlobRequestConditions conditions, Use<T> use) {
        BlobDownloadContentResponse response =
                blob(key).downloadContentWithResponse(ONCE, conditions, range, false, null, Context.NONE);
        BlobDownloadHeaders headers = response.getDeserializedHeaders();
        StoredObject object = new StoredObject(
                Bytes.wrap(response.getValue().toBytes()),
                ObjectAnswers.version(headers.getETag()),
                millis(headers.getLastModified()));
        if (range != null && response.getStatusCode() == HttpURLConnection.HTTP_OK) { // the range was ignored
            object = object.range(range.getOffset(), Math.toIntExact(range.getCount()));
        }
        return use.of(object, response.getHeaders().getValue(HttpHeaderName.DATE));
    }

    private static long millis(@Nullable OffsetDateTime time) {
        return ObjectAnswers.told(time).toInstant().toEpochMilli();
    }

    private static <T> Optional<Optional<T>> emptyIfMissing(RequestFailure failure) {
        return AzureOutcomes.isMissing(failure) ? Optional.of(Optional.empty()) : Optional.empty();
    }

    /** A view of the bytes: nothing is copied on the way to the HTTP client. */
    static BinaryData data(Bytes body) {
        return BinaryData.fromByteBuffer(ByteBuffer.wrap(body.array(), body.offset(), body.length()));
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        ObjectRules.checkKey(key);
        BlobRequestConditions conditions = new BlobRequestConditions();
        ObjectCall kind = switch (condition) {
            case WriteCondition.Always always -> ObjectCall.PUT;
            case WriteCondition.IfAbsent absent -> {
                conditions.setIfNoneMatch("*");
                yield ObjectCall.CONDITIONAL_PUT;
            }
            case WriteCondition.IfVersion version -> {
                conditions.setIfMatch(ObjectAnswers.eTag(version.version()));
                yield ObjectCall.CONDITIONAL_PUT;
            }
        };
        BlockBlobSimpleUploadOptions options =
                new BlockBlobSimpleUploadOptions(data(body)).setRequestConditions(conditions);
        return call(kind, () -> written(blob(key).uploadWithResponse(options, null, Context.NONE)), noAnswer());
    }

    private Written written(Response<BlockBlobItem> response) {
        HttpHeaders headers = response.getHeaders();
        long serverMillis = ObjectAnswers.timeOfPut(
                "azure", ObjectAnswers.millis(headers.getValue(HttpHeaderName.DATE)), "container", container);
        return new Written(ObjectAnswers.version(response.getValue().getETag()), serverMillis);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        return new AzureUpload(this, blob(key), partBytes);
    }

    @Override
    public void delete(String key) {
        ObjectRules.checkKey(key);
        call(
                ObjectCall.DELETE,
                () -> {
                    blob(key).delete();
                    return true;
                },
                failure -> AzureOutcomes.isMissing(failure) ? Optional.of(true) : Optional.empty());
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(ObjectRules::checkKey);
        keys.forEach(this::delete);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        ObjectRules.checkList(prefix, startAfter, limit);
        return call(ObjectCall.READ, () -> listed(prefix, startAfter, limit), noAnswer());
    }

    /** Lists in one request, unless the server does not know how to begin at a key: then it lists up to there first. */
    private Listing listed(String prefix, String startAfter, int limit) {
        int skip = startAfter.isEmpty() ? 0 : 1; // the server begins with the key itself
        ListBlobsOptions options = new ListBlobsOptions().setPrefix(prefix).setMaxResultsPerPage((int)
                Math.min((long) limit + skip, ENTRIES_MAX));
        if (skip > 0) {
            options.setStartFrom(startAfter);
        }
        Bytes after = Bytes.utf8(startAfter);
        String token = null;
        List<Listing.Entry> entries;
        do {
            PagedResponse<BlobItem> page = client.listBlobs(options, token, null)
                    .iterableByPage()
                    .iterator()
                    .next();
            entries = page.getValue().stream()
                    .map(AzureObjectStore::entry)
                    .filter(entry -> skip == 0 || Bytes.utf8(entry.key()).compareTo(after) > 0)
                    .toList();
            token = page.getContinuationToken();
        } while (entries.isEmpty() && token != null);
        ObjectAnswers.requireOrder(container, startAfter, entries);
        return new Listing(
                entries.subList(0, Math.min(limit, entries.size())), token != null || entries.size() > limit);
    }

    private static Listing.Entry entry(BlobItem item) {
        return new Listing.Entry(
                item.getName(),
                ObjectAnswers.told(item.getProperties().getContentLength()),
                ObjectAnswers.version(item.getProperties().getETag()),
                millis(item.getProperties().getLastModified()));
    }

    /** Interprets no failure as an answer. */
    static <T> Function<RequestFailure, Optional<T>> noAnswer() {
        return failure -> Optional.empty();
    }

    /** Makes a request; {@code answer} may interpret a failure as an answer. */
    <T> T call(ObjectCall kind, Supplier<T> request, Function<RequestFailure, Optional<T>> answer) {
        if (closed) {
            throw new ClosedException("the object store was closed; open it again", "container", container);
        }
        try {
            return request.get();
        } catch (RuntimeException e) { // of the SDK, of its reader of XML, or of the user's credentials
            rethrowOwn(e);
            RequestFailure failure = AzureOutcomes.failure(e);
            return answer.apply(failure)
                    .orElseThrow(() -> AzureOutcomes.of(kind, failure)
                            .exception("azure", kind.text(), failure, "container", container));
        }
    }

    /** Throws again the exception of a body's reader, which the SDK may wrap. */
    private static void rethrowOwn(RuntimeException wrapped) {
        for (Throwable cause = wrapped; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException own) {
                throw own;
            }
        }
    }

    @Override
    public void close() {
        closed = true; // The SDK's client has nothing to close.
    }
}
