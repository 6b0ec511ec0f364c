package io.penstock.bench.damage;

import java.util.function.Consumer;

/**
 * A way to damage a store.
 *
 * @param <S> what is struck: a copy of the store, or of its files
 * @param other the one with which the target changes places; without a swap the target
 * @param what happens to it, in a word or two
 */
record Damage<S>(Target target, Target other, String what, Consumer<S> strike) {
    /** What happened to an object or message of which one bit is another. */
    static final String TURNED = "a bit turned";

    static final String REMOVED = "removed";
    static final String CUT = "cut";
    static final String EMPTIED = "emptied";
    static final String LENGTHENED = "lengthened";
    static final String TOO_LONG = "longer than anything of ours";
    static final String SWAPPED = "swapped";
    static final String OLDER = "an older version";

    /** So many bytes are added to what is lengthened. */
    static final int LONGER_BYTES = 16;

    static <S> Damage<S> of(Target target, String what, Consumer<S> strike) {
        return new Damage<>(target, target, what, strike);
    }

    /**
     * Whether a failure tells of what is damaged, rather than of something else. An older version of a leaf may refer
     * to a large payload that is gone since.
     */
    boolean isNamedBy(String message) {
        return target.isNamedBy(message)
                || other.isNamedBy(message)
                || what.equals(OLDER) && message.contains("/overflow/");
    }
}
