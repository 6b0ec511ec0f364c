package io.penstock.cli.access;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a store, as AWS resource names give it.
 *
 * @param partition {@code aws}, {@code aws-cn} or {@code aws-us-gov}
 * @param region of the queues, or {@code *}
 * @param account of the queues: 12 digits, or {@code *}
 * @param bucket the name of a bucket
 * @param prefix the store's prefix, as in {@code Settings.prefix}
 * @param logBucket of commit logs, as in {@code Settings.commitLog}; null: the same bucket
 * @param backups the place of backups, {@code s3://bucket/folder}; null: none is known
 */
public record StoreLocation(
        String partition,
        String region,
        String account,
        String bucket,
        String prefix,
        @Nullable String logBucket,
        @Nullable String backups) {
    /** The end of the names of directory buckets, those of S3 Express One Zone. (S3 user guide, naming rules.) */
    private static final String EXPRESS = "--x-s3";

    private static final Pattern PLAIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");
    private static final Pattern BACKUPS = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{0,62})/([^*?]+)");
    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}|\\*");

    public StoreLocation {
        require("partition", partition, PLAIN.matcher(partition).matches());
        require("region", region, region.equals("*") || PLAIN.matcher(region).matches());
        require("account", account, ACCOUNT.matcher(account).matches());
        require("bucket", bucket, PLAIN.matcher(bucket).matches());
        require("log-bucket", String.valueOf(logBucket), logBucket == null || isLog(bucket, logBucket));
        require(
                "to",
                String.valueOf(backups),
                backups == null || BACKUPS.matcher(backups).matches());
        require("prefix", prefix, PLAIN.matcher(prefix).matches() && prefix.length() <= 30);
    }

    /** A store whose commit logs are in its own bucket. */
    public StoreLocation(String partition, String region, String account, String bucket, String prefix) {
        this(partition, region, account, bucket, prefix, null, null);
    }

    private static boolean isLog(String bucket, String logBucket) {
        return PLAIN.matcher(logBucket).matches() && !logBucket.equals(bucket);
    }

    private static void require(String what, String value, boolean good) {
        if (!good) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "this is not a valid part of an AWS resource name; correct it",
                    what,
                    value);
        }
    }

    String bucketArn() {
        return "arn:" + partition + ":s3:::" + bucket;
    }

    /** @param path below the store's prefix, such as {@code pages/*} */
    String objectArn(String path) {
        return bucketArn() + "/" + prefix + "/" + path;
    }

    boolean isLogApart() {
        return logBucket != null;
    }

    /** Whether sessions, not rights on objects, lead to the commit logs. */
    boolean isLogExpress() {
        return logBucket != null && logBucket.endsWith(EXPRESS);
    }

    String logBucketArn() {
        if (isLogExpress()) {
            return "arn:" + partition + ":s3express:" + region + ":" + account + ":bucket/" + logBucket;
        }
        return "arn:" + partition + ":s3:::" + (logBucket == null ? bucket : logBucket);
    }

    /** @param path below the store's prefix, such as {@code log/*} */
    String logArn(String path) {
        return logBucketArn() + "/" + prefix + "/" + path;
    }

    boolean hasBackups() {
        return backups != null;
    }

    String backupBucketArn() {
        return "arn:" + partition + ":s3:::" + backupPlace().group(1);
    }

    String backupArn() {
        String folder = backupPlace().group(2);
        return backupBucketArn() + "/" + folder + (folder.endsWith("/") ? "*" : "/*");
    }

    private Matcher backupPlace() {
        Matcher place = BACKUPS.matcher(backups == null ? "" : backups);
        if (!place.matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "this role writes backups; give their place as s3://bucket/folder",
                    "to",
                    backups);
        }
        return place;
    }

    /** @param kind of queue: {@code pu}, {@code lk}, {@code at} or {@code in} */
    String queueArn(String kind) {
        return "arn:" + partition + ":sqs:" + region + ":" + account + ":" + prefix + "-" + kind + "-*";
    }
}
