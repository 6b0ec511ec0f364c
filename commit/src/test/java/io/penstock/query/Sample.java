package io.penstock.query;

import io.penstock.Keys;
import io.penstock.core.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A record with a field of each type, most of them null at times, and values that are traps. */
record Sample(
        @Nullable Boolean flag,
        @Nullable Integer small,
        @Nullable Long big,
        @Nullable Double ratio,
        @Nullable BigDecimal price,
        @Nullable String name,
        @Nullable Bytes blob,
        @Nullable LocalDate day,
        @Nullable Instant at) {
    static final KeyField<String> GROUP = Field.keyPart("grp", FieldType.STRING, 0);
    static final KeyField<Long> NUMBER = Field.keyPart("number", FieldType.LONG, 1);
    static final Fields FIELDS = Fields.ofClass(Sample.class).and(GROUP, NUMBER);
    private static final String[] PIECES = {
        "a", "b", "\u00e9", "\uffff", "\ue000", "\ud83d", "\ude00", "\ud83d\ude00", "\0"
    };
    private static final double[] RATIOS = {0.0, -0.0, Double.NaN, 1.5, -1.5, Double.POSITIVE_INFINITY, Double.MIN_VALUE
    };

    static Keys.Pair<String, Long> key(Random random) {
        return new Keys.Pair<>("g" + random.nextInt(8), (long) random.nextInt(60));
    }

    /** @param near what values are near to, so that some fields follow it */
    static Sample draw(Random random, long near) {
        return new Sample(
                random.nextInt(4) == 0 ? null : random.nextBoolean(),
                random.nextInt(4) == 0 ? null : random.nextInt(6) - 3,
                random.nextInt(6) == 0 ? null : near * 10 + random.nextInt(10),
                random.nextInt(5) == 0 ? null : ratio(random),
                random.nextInt(4) == 0 ? null : price(random),
                random.nextInt(4) == 0 ? null : text(random),
                random.nextInt(4) == 0 ? null : blob(random),
                random.nextInt(4) == 0 ? null : LocalDate.of(1969, 12, 25).plusDays(near + random.nextInt(3)),
                random.nextInt(4) == 0 ? null : Instant.ofEpochSecond(near - 20, random.nextInt(3)));
    }

    private static double ratio(Random random) {
        return RATIOS[random.nextInt(RATIOS.length)];
    }

    private static BigDecimal price(Random random) {
        BigDecimal price = new BigDecimal(BigInteger.valueOf(random.nextInt(9) * 5L - 20), random.nextInt(4));
        return price.setScale(4 + random.nextInt(3));
    }

    private static Bytes blob(Random random) {
        return Bytes.wrap(new byte[] {(byte) random.nextInt(3), (byte) random.nextInt()});
    }

    static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(4); n > 0; n--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    /** A value to compare a field with. */
    static Object literal(Field<?> field, Random random) {
        if (field.equals(GROUP)) {
            return random.nextInt(5) == 0 ? text(random) : "g" + random.nextInt(9);
        }
        if (field.equals(NUMBER)) {
            return (long) random.nextInt(62) - 1;
        }
        Sample drawn = draw(random, random.nextInt(62) - 1);
        Object value = ((ValueField<Sample, ?>) field).apply(drawn);
        return value == null ? literal(field, random) : value;
    }
}
