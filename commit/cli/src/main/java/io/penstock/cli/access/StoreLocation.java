package io.penstock.cli.access;

import io.penstock.core.InvalidRequestException;
import java.util.regex.Pattern;

/**
 * The place of a store, as AWS resource names give it.
 *
 * @param partition {@code aws}, {@code aws-cn} or {@code aws-us-gov}
 * @param region of the queues, or {@code *}
 * @param account of the queues: 12 digits, or {@code *}
 * @param bucket the name of a bucket
 * @param prefix the store's prefix, as in {@code Settings.prefix}
 */
public record StoreLocation(String partition, String region, String account, String bucket, String prefix) {
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");
    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}|\\*");

    public StoreLocation {
        require("partition", partition, PLAIN.matcher(partition).matches());
        require("region", region, region.equals("*") || PLAIN.matcher(region).matches());
        require("account", account, ACCOUNT.matcher(account).matches());
        require("bucket", bucket, PLAIN.matcher(bucket).matches());
        require("prefix", prefix, PLAIN.matcher(prefix).matches() && prefix.length() <= 30);
    }

    private static void require(String what, String value, boolean good) {
        if (!good) {
            throw new InvalidRequestException(
                    "this is not a valid part of an AWS resource name; correct it", what, value);
        }
    }

    String bucketArn() {
        return "arn:" + partition + ":s3:::" + bucket;
    }

    /** @param path below the store's prefix, such as {@code pages/*} */
    String objectArn(String path) {
        return bucketArn() + "/" + prefix + "/" + path;
    }

    /** @param kind of queue: {@code pu}, {@code lk}, {@code at} or {@code in} */
    String queueArn(String kind) {
        return "arn:" + partition + ":sqs:" + region + ":" + account + ":" + prefix + "-" + kind + "-*";
    }
}
