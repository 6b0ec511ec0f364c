package io.penstock.query;

import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.core.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
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
    static final Fields FIELDS = Fields.ofRecord(Sample.class).and(GROUP, NUMBER);
    private static final String[] PIECES = {"a", "b", "\u00e9", "\uffff", "\ue000", "\ud83d", "\ude00", "\ud83d\ude00", "\0"};
    private static final double[] RATIOS = {0.0, -0.0, Double.NaN, 1.5, -1.5, Double.POSITIVE_INFINITY, Double.MIN_VALUE};

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
                random.nextInt(4) == 0 ? null : Bytes.wrap(new byte[] {(byte) random.nextInt(3), (byte) random.nextInt()}),
                random.nextInt(4) == 0 ? null : LocalDate.of(1969, 12, 25).plusDays(near + random.nextInt(3)),
                random.nextInt(4) == 0 ? null : Instant.ofEpochSecond(near - 20, random.nextInt(3)));
    }

    private static double ratio(Random random) {
        return RATIOS[random.nextInt(RATIOS.length)];
    }

    private static BigDecimal price(Random random) {
        return new BigDecimal(BigInteger.valueOf(random.nextInt(9) * 5L - 20), random.nextInt(4)).setScale(4 + random.nextInt(3));
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

    /** The samples as bytes, exactly. */
    static PayloadCodec<Sample> codec() {
        return new PayloadCodec<>() {
            @Override
            public Bytes encode(Sample value) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (DataOutputStream out = new DataOutputStream(bytes)) {
                    write(out, value.flag);
                    write(out, value.small);
                    write(out, value.big);
                    write(out, value.ratio == null ? null : Double.doubleToRawLongBits(value.ratio));
                    write(out, value.price);
                    out.writeInt(value.name == null ? -1 : value.name.length());
                    if (value.name != null) {
                        out.writeChars(value.name);
                    }
                    write(out, value.blob == null ? null : value.blob.toHex());
                    write(out, value.day);
                    write(out, value.at);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
                return Bytes.wrap(bytes.toByteArray());
            }

            private void write(DataOutputStream out, @Nullable Object value) throws IOException {
                out.writeUTF(value == null ? "-null" : value.toString());
            }

            @Override
            public Sample decode(Bytes payload) {
                try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.toArray()))) {
                    List<@Nullable String> first = new ArrayList<>();
                    for (int i = 0; i < 5; i++) {
                        first.add(read(in));
                    }
                    int length = in.readInt();
                    StringBuilder name = new StringBuilder();
                    for (int i = 0; i < length; i++) {
                        name.append(in.readChar());
                    }
                    String blob = read(in);
                    String day = read(in);
                    String at = read(in);
                    return new Sample(
                            first.get(0) == null ? null : Boolean.valueOf(first.get(0)),
                            first.get(1) == null ? null : Integer.valueOf(first.get(1)),
                            first.get(2) == null ? null : Long.valueOf(first.get(2)),
                            first.get(3) == null ? null : Double.longBitsToDouble(Long.parseLong(first.get(3))),
                            first.get(4) == null ? null : new BigDecimal(first.get(4)),
                            length < 0 ? null : name.toString(),
                            blob == null ? null : Bytes.wrap(java.util.HexFormat.of().parseHex(blob)),
                            day == null ? null : LocalDate.parse(day),
                            at == null ? null : Instant.parse(at));
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }

            private @Nullable String read(DataInputStream in) throws IOException {
                String text = in.readUTF();
                return text.equals("-null") ? null : text;
            }
        };
    }
}
