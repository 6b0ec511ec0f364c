package io.penstock.btree;

import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;

/**
 * Settings of a tree.
 *
 * @param leafBytesTarget a leaf that would be larger is split, if it has two entries
 * @param innerBytesTarget an inner page that would be larger is split; at least {@code recordBytesMax}, so that a page
 *     holds several keys
 * @param recordBytesMax the largest record, key and payload together: it must fit in a page of its own
 * @param pageBytesMax no page is larger; at least twice each of the above
 * @param parallelWidth the pages that one call reads and writes at a time
 * @param tombstoneLife the time for which the tombstone of a delete is kept: longer than any log record lives
 * @param attemptsMax the attempts of one call at a page that other writers keep changing
 * @param compression of the pages written, where it makes them much smaller
 */
public record TreeSettings(
        int leafBytesTarget,
        int innerBytesTarget,
        int recordBytesMax,
        int pageBytesMax,
        int parallelWidth,
        Duration tombstoneLife,
        int attemptsMax,
        Compression compression) {
    /** The smallest target at which a page of three keys of the largest size is sure to fit. */
    private static final int TARGET_BYTES_MIN = 512;

    /**
     * The default: pages of 64 KiB, of 128 KiB at most, 16 pages at a time, 16 attempts. Tombstones live 30 days: a log
     * record lives 14 days in an ATOMIC queue, then 14 in a PU queue; two more are margin.
     */
    public static final TreeSettings DEFAULT =
            new TreeSettings(64 << 10, 64 << 10, 64 << 10, 128 << 10, 16, Duration.ofDays(30), 16, Compression.NONE);

    public TreeSettings {
        int target = Math.max(leafBytesTarget, innerBytesTarget);
        if (Math.min(leafBytesTarget, recordBytesMax) < TARGET_BYTES_MIN
                || innerBytesTarget < recordBytesMax
                || pageBytesMax / 2 < target
                || parallelWidth < 1
                || attemptsMax < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "tree settings are out of bounds; targets are at least 512 bytes and at most half of pageBytesMax",
                    "leafBytesTarget",
                    leafBytesTarget,
                    "innerBytesTarget",
                    innerBytesTarget,
                    "recordBytesMax",
                    recordBytesMax,
                    "pageBytesMax",
                    pageBytesMax,
                    "parallelWidth",
                    parallelWidth,
                    "attemptsMax",
                    attemptsMax);
        }
    }

    /** Returns these settings with pages of about {@code target} bytes, and records of no more. */
    public TreeSettings withPageBytes(int target) {
        return new TreeSettings(
                target, target, target, 2 * target, parallelWidth, tombstoneLife, attemptsMax, compression);
    }

    /**
     * Returns these settings with leaves of about {@code target} bytes, for the same records.
     *
     * @param largest the size that leaves had before, if that was more
     */
    public TreeSettings withLeafBytes(int target, int largest) {
        int inner = Math.max(target, recordBytesMax);
        int most = 2 * Math.max(inner, largest);
        return new TreeSettings(
                target, inner, recordBytesMax, most, parallelWidth, tombstoneLife, attemptsMax, compression);
    }

    public TreeSettings withParallelWidth(int width) {
        return with(width, attemptsMax, compression);
    }

    public TreeSettings withAttemptsMax(int attempts) {
        return with(parallelWidth, attempts, compression);
    }

    public TreeSettings withCompression(Compression next) {
        return with(parallelWidth, attemptsMax, next);
    }

    private TreeSettings with(int width, int attempts, Compression next) {
        return new TreeSettings(
                leafBytesTarget, innerBytesTarget, recordBytesMax, pageBytesMax, width, tombstoneLife, attempts, next);
    }

    /** The longest key: an inner page must hold several, and a high key. */
    public int keyBytesMax() {
        return recordBytesMax / 8;
    }

    int bytesTarget(int level) {
        return level == 0 ? leafBytesTarget : innerBytesTarget;
    }
}
