package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to damage a specimen. */
sealed interface Damage {
    /** What happened to an object or message of which one bit is another. */
    String TURNED = "a bit turned";

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
            return target.isNamedBy(message) || what.equals(Excuses.OLDER) && message.contains("/overflow/");
        }

        @Override
        public void strike(Specimen specimen) {
            specimen.objects().put(target.key(), content, WriteCondition.ALWAYS);
        }
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
            return "removed";
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
            return "swapped";
        }

        @Override
        public void strike(Specimen specimen) {
            Bytes one = specimen.objects().get(target.key()).orElseThrow().body();
            Bytes two = specimen.objects().get(other.key()).orElseThrow().body();
            specimen.objects().put(target.key(), two, WriteCondition.ALWAYS);
            specimen.objects().put(other.key(), one, WriteCondition.ALWAYS);
        }
    }

    /** One bit of a message is turned. */
    record FlipMessage(Target target, int index, int bit) implements Damage {
        @Override
        public String what() {
            return TURNED;
        }

        @Override
        public void strike(Specimen specimen) {
            int number = Integer.parseInt(target.key());
            AtomicInteger seen = new AtomicInteger();
            specimen.tamper((queue, body, receives) ->
                    Optional.of(seen.getAndIncrement() == number ? turned(body, index, bit) : body));
        }
    }

    private static Bytes turned(Bytes whole, int index, int bit) {
        byte[] bytes = whole.toArray();
        bytes[index] ^= (byte) (1 << bit);
        return Bytes.wrap(bytes);
    }
}
