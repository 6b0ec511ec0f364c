package io.penstock.core.object.s3;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.remote.ObjectAnswers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Lists objects in the order of the keys' UTF-8 bytes. A general purpose bucket has that order, and can begin after a
 * key; there one call is one request, unless an answer has no entries and is not the end. A directory bucket has
 * neither: there one call reads every entry with the prefix, whatever the limit, and keeps the first ones, so that
 * memory is bounded by the limit, but requests are not. Safe for use by many threads.
 */
final class S3Listings {
    /** The most entries of one answer of S3. */
    private static final int ENTRIES_MAX = 1_000;

    private static final Comparator<Listing.Entry> BY_KEY =
            Comparator.comparing((Listing.Entry entry) -> Bytes.utf8(entry.key()));

    private final S3Client client;
    private final String bucket;
    private final boolean directory;

    S3Listings(S3Client client, S3Settings settings) {
        this.client = client;
        this.bucket = settings.bucket();
        this.directory = settings.isDirectoryBucket();
    }

    Listing list(String prefix, String startAfter, int limit) {
        return directory ? sorted(prefix, startAfter, limit) : inOrder(prefix, startAfter, limit);
    }

    private Listing inOrder(String prefix, String startAfter, int limit) {
        ListObjectsV2Request.Builder request = request(prefix).maxKeys(Math.min(limit, ENTRIES_MAX));
        if (!startAfter.isEmpty()) {
            request.startAfter(startAfter);
        }
        ListObjectsV2Response response = page(request);
        while (response.contents().isEmpty() && response.isTruncated()) {
            response = page(request.continuationToken(ObjectAnswers.told(response.nextContinuationToken())));
        }
        List<Listing.Entry> entries =
                response.contents().stream().map(S3Listings::entry).toList();
        ObjectAnswers.requireOrder(bucket, startAfter, entries);
        return new Listing(entries, response.isTruncated());
    }

    private Listing sorted(String prefix, String startAfter, int limit) {
        Bytes after = Bytes.utf8(startAfter);
        PriorityQueue<Listing.Entry> first = new PriorityQueue<>(BY_KEY.reversed());
        boolean more = false;
        @Nullable String token = null;
        do {
            // A directory bucket accepts only prefixes that end in the delimiter.
            ListObjectsV2Request.Builder request = request(prefix.substring(0, prefix.lastIndexOf('/') + 1));
            if (token != null) {
                request.continuationToken(token);
            }
            ListObjectsV2Response response = page(request);
            for (S3Object object : response.contents()) {
                if (object.key().startsWith(prefix) && Bytes.utf8(object.key()).compareTo(after) > 0) {
                    first.add(entry(object));
                }
                if (first.size() > limit) {
                    first.remove();
                    more = true;
                }
            }
            token = response.isTruncated() ? ObjectAnswers.told(response.nextContinuationToken()) : null;
        } while (token != null);
        List<Listing.Entry> entries = new ArrayList<>(first);
        entries.sort(BY_KEY);
        return new Listing(entries, more);
    }

    /** Refuses what does not say whether it is the end: it is no list, and must not count as an empty one. */
    private ListObjectsV2Response page(ListObjectsV2Request.Builder request) {
        ListObjectsV2Response response = client.listObjectsV2(request.build());
        if (response.isTruncated() == null) {
            throw new UnavailableException(
                    "the answer to a list is none of s3; check endpoint and proxies on the way", "bucket", bucket);
        }
        return response;
    }

    private ListObjectsV2Request.Builder request(String prefix) {
        // Keys may have characters that XML cannot carry; the SDK decodes them again.
        return ListObjectsV2Request.builder().bucket(bucket).prefix(prefix).encodingType(EncodingType.URL);
    }

    private static Listing.Entry entry(S3Object object) {
        return new Listing.Entry(
                object.key(),
                object.size(),
                ObjectAnswers.version(object.eTag()),
                S3Answers.lastModified(object.lastModified()));
    }
}
