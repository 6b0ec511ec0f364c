package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to damage a specimen. */
sealed interface Damage {
    /** What happened to an object or message of which one bit is another. */
    String TURNED = "a bit turned";

    String REMOVED = "removed";
    String CUT = "cut";
    String EMPTIED = "emptied";
    String LENGTHENED = "lengthened";
    String TOO_LONG = "longer than anything of ours";
    String SWAPPED = "swapped";
    String OLDER = "an older version";

    /** So many bytes are added to what is lengthened. */
    int LONGER_BYTES = 16;

    Target target();

    /** Whether a failure tells of what is damaged, rather than of something else. */
    default boolean isNamedBy(String message) {
        return target().isNamedBy(message);
    }

    /** What happens to it, in a word or two. */
    String what();

    void strike(Specimen specimen);

    /** Another content takes the place of an object's. */
    record Replace(Target target, String what, Bytes content) implements Damage {
        /** An older version of a leaf may refer to a large payload that is gone since. */
        @Override
        public boolean isNamedBy(String message) {
            return target.isNamedBy(message) || what.equals(OLDER) && message.contains("/overflow/");
        }

        @Override
        public void strike(Specimen specimen) {
            specimen.objects().put(target.key(), content, WriteCondition.ALWAYS);
        }
    }

    static Bytes longer(Bytes whole) {
        return Bytes.wrap(Arrays.copyOf(whole.toArray(), whole.length() + LONGER_BYTES));
    }

    /** One bit of an object is turned. */
    record Flip(Target target, int index, int bit) implements Damage {
        @Override
        public String what() {
            return TURNED;
        }

        @Override
        public void strike(Specimen specimen) {
            Bytes whole = specimen.objects().get(target.key()).orElseThrow().body();
            specimen.objects().put(target.key(), turned(whole, index, bit), WriteCondition.ALWAYS);
        }
    }

    /** An object is taken away. */
    record Remove(Target target) implements Damage {
        @Override
        public String what() {
            return REMOVED;
        }

        @Override
        public void strike(Specimen specimen) {
            specimen.objects().delete(target.key());
        }
    }

    /** Two objects change places. */
    record Swap(Target target, Target other) implements Damage {
        @Override
        public boolean isNamedBy(String message) {
            return target.isNamedBy(message) || other.isNamedBy(message);
        }

        @Override
        public String what() {
            return SWAPPED;
        }

        @Override
        public void strike(Specimen specimen) {
            Bytes one = specimen.objects().get(target.key()).orElseThrow().body();
            Bytes two = specimen.objects().get(other.key()).orElseThrow().body();
            specimen.objects().put(target.key(), two, WriteCondition.ALWAYS);
            specimen.objects().put(other.key(), one, WriteCondition.ALWAYS);
        }
    }

    /** Messages get other bodies, by their numbers; without a body a message is taken away. */
    record ChangeMessages(Target target, String what, Map<Integer, Optional<Bytes>> bodies) implements Damage {
        @Override
        public void strike(Specimen specimen) {
            AtomicInteger seen = new AtomicInteger();
            specimen.tamper((queue, body, receives) -> bodies.getOrDefault(seen.getAndIncrement(), Optional.of(body)));
        }
    }

    static Bytes turned(Bytes whole, int index, int bit) {
        byte[] bytes = whole.toArray();
        bytes[index] ^= (byte) (1 << bit);
        return Bytes.wrap(bytes);
    }
}
