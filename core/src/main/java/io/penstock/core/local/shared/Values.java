package io.penstock.core.local.shared;

import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of arguments and results: a tag, then the value. Records are written component by component, by their place
 * in {@link #RECORDS}; no other class is ever made from bytes.
 */
final class Values {
    /** The types of records that frames carry. Their order is part of the protocol. */
    private static final List<Class<? extends Record>> RECORDS = List.of(
            StoredObject.class,
            ObjectVersion.class,
            TimedObject.class,
            Refreshed.Unchanged.class,
            Refreshed.Changed.class,
            Refreshed.Missing.class,
            Written.class,
            Listing.class,
            Listing.Entry.class,
            WriteCondition.Always.class,
            WriteCondition.IfAbsent.class,
            WriteCondition.IfVersion.class,
            SendResult.Sent.class,
            SendResult.NotSent.class,
            Receipt.class,
            Delivery.class,
            QueueDepth.class,
            QueueConfiguration.class,
            QueueAttributes.class,
            QueueLimits.class);

    private static final int NOTHING = 0;
    private static final int BOOLEAN = 1;
    private static final int INT = 2;
    private static final int LONG = 3;
    private static final int TEXT = 4;
    private static final int BYTES = 5;
    private static final int DURATION = 6;
    private static final int OPTIONAL = 7;
    private static final int LIST = 8;
    private static final int RECORD = 9;

    private Values() {}

    static void write(DataOutputStream out, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeByte(NOTHING);
            case Boolean flag -> {
                out.writeByte(BOOLEAN);
                out.writeBoolean(flag);
            }
            case Integer number -> {
                out.writeByte(INT);
                out.writeInt(number);
            }
            case Long number -> {
                out.writeByte(LONG);
                out.writeLong(number);
            }
            case String text -> writeArray(out, TEXT, Bytes.utf8(text));
            case Bytes bytes -> writeArray(out, BYTES, bytes);
            case Duration time -> {
                out.writeByte(DURATION);
                out.writeLong(time.getSeconds());
                out.writeInt(time.getNano());
            }
            case Optional<?> optional -> {
                out.writeByte(OPTIONAL);
                write(out, optional.orElse(null));
            }
            case Collection<?> many -> {
                out.writeByte(LIST);
                out.writeInt(many.size());
                for (Object one : many) {
                    write(out, one);
                }
            }
            case Record record -> writeRecord(out, record);
            default -> throw new IOException("no value of this protocol: " + value.getClass());
        }
    }

    private static void writeArray(DataOutputStream out, int tag, Bytes bytes) throws IOException {
        out.writeByte(tag);
        out.writeInt(bytes.length());
        out.write(bytes.array(), bytes.offset(), bytes.length());
    }

    private static void writeRecord(DataOutputStream out, Record record) throws IOException {
        int kind = RECORDS.indexOf(record.getClass());
        if (kind < 0) {
            throw new IOException("no record of this protocol: " + record.getClass());
        }
        out.writeByte(RECORD);
        out.writeByte(kind);
        try {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                write(out, component.getAccessor().invoke(record));
            }
        } catch (ReflectiveOperationException e) {
            throw new IOException("a record could not be read", e);
        }
    }

    static @Nullable Object read(DataInputStream in) throws IOException {
        int tag = in.readUnsignedByte();
        return switch (tag) {
            case NOTHING -> null;
            case BOOLEAN -> in.readBoolean();
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case TEXT -> new String(readArray(in), StandardCharsets.UTF_8);
            case BYTES -> Bytes.wrap(readArray(in));
            case DURATION -> Duration.ofSeconds(in.readLong(), in.readInt());
            case OPTIONAL -> Optional.ofNullable(read(in));
            case LIST -> readList(in);
            case RECORD -> readRecord(in);
            default -> throw new IOException("no tag of this protocol: " + tag);
        };
    }

    /** A length beyond what the frame holds is refused before memory is taken for it. */
    private static int readLength(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length beyond its frame: " + length);
        }
        return length;
    }

    private static byte[] readArray(DataInputStream in) throws IOException {
        byte[] bytes = new byte[readLength(in)];
        in.readFully(bytes);
        return bytes;
    }

    private static List<@Nullable Object> readList(DataInputStream in) throws IOException {
        int size = readLength(in);
        List<@Nullable Object> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(read(in));
        }
        return all;
    }

    private static Record readRecord(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind >= RECORDS.size()) {
            throw new IOException("no record of this protocol: " + kind);
        }
        Class<? extends Record> type = RECORDS.get(kind);
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(in);
        }
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("a record could not be made", e);
        }
    }
}
