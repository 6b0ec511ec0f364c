package io.penstock.query;

import io.penstock.PayloadCodec;
import io.penstock.core.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples as bytes, exactly: also halves of pairs and the sign of zero. */
final class SampleCodec implements PayloadCodec<Sample> {
    private static final int FIELDS = 9;

    @Override
    public Bytes encode(Sample value) {
        Double ratio = value.ratio();
        Bytes blob = value.blob();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, value.flag());
            write(out, value.small());
            write(out, value.big());
            write(out, ratio == null ? null : Double.doubleToRawLongBits(ratio));
            write(out, value.price());
            write(out, value.name());
            write(out, blob == null ? null : blob.toHex());
            write(out, value.day());
            write(out, value.at());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
        String text = value == null ? "" : value.toString();
        out.writeInt(value == null ? -1 : text.length());
        out.writeChars(text);
    }

    @Override
    public Sample decode(Bytes payload) {
        List<@Nullable String> parts = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.toArray()))) {
            while (parts.size() < FIELDS) {
                parts.add(read(in));
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        String flag = parts.get(0);
        String small = parts.get(1);
        String big = parts.get(2);
        String ratio = parts.get(3);
        String price = parts.get(4);
        String blob = parts.get(6);
        String day = parts.get(7);
        String at = parts.get(8);
        return new Sample(
                flag == null ? null : Boolean.valueOf(flag),
                small == null ? null : Integer.valueOf(small),
                big == null ? null : Long.valueOf(big),
                ratio == null ? null : Double.longBitsToDouble(Long.parseLong(ratio)),
                price == null ? null : new BigDecimal(price),
                parts.get(5),
                blob == null ? null : Bytes.wrap(HexFormat.of().parseHex(blob)),
                day == null ? null : LocalDate.parse(day),
                at == null ? null : Instant.parse(at));
    }

    private static @Nullable String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(in.readChar());
        }
        return length < 0 ? null : text.toString();
    }
}
