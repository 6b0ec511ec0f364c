package io.penstock.core.object.s3;

import java.util.List;
import java.util.Optional;

/**
 * The settings of a bucket that cost or lose objects. Each is empty when the server did not tell it: for want of a
 * right, or since it does not know the setting.
 *
 * @param versioned whether the bucket keeps replaced and deleted objects
 * @param locked whether objects may be locked against deletion
 * @param encryption the default encryption: its algorithm and key; the word {@code none} where there is none
 * @param lifecycle the enabled lifecycle rules
 */
public record BucketSettings(
        Optional<Boolean> versioned,
        Optional<Boolean> locked,
        Optional<String> encryption,
        Optional<List<Rule>> lifecycle) {
    /**
     * A lifecycle rule.
     *
     * @param prefix of the objects that it is for; empty: all
     * @param takes the effect on current objects: "expires them", "moves them to GLACIER"; empty when nothing that
     *     takes them away
     * @param endsUploads whether it removes uploads that were cut off
     */
    public record Rule(String id, String prefix, List<String> takes, boolean endsUploads) {
        public Rule {
            takes = List.copyOf(takes);
        }
    }
}
