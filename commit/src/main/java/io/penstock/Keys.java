package io.penstock;

import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.DecimalBytes;
import io.penstock.commit.mapping.Property;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Key codecs. Byte formats: {@code docs/FORMATS.md}, "Keys". */
public final class Keys {
    private Keys() {}

    /** Strings as UTF-8, ordered by code points. */
    public static KeyCodec<String> string() {
        return new StringKeys();
    }

    /** Longs as eight bytes, big-endian, the sign bit flipped; ordered as numbers. */
    public static KeyCodec<Long> longs() {
        return new LongKeys();
    }

    /**
     * Decimals as sign, exponent and digits; ordered as numbers. Values that compare as equal are one key: 1.50 comes
     * back as 1.5.
     */
    public static KeyCodec<BigDecimal> decimals() {
        return new DecimalKeys();
    }

    /** Seconds, sign bit flipped, and nanoseconds, both big-endian: 12 bytes; ordered by time. */
    public static KeyCodec<Instant> instants() {
        return new InstantKeys();
    }

    /** UUIDs as 16 bytes, big-endian; ordered as their text is, which is not the order of {@link UUID#compareTo}. */
    public static KeyCodec<UUID> uuids() {
        return new UuidKeys();
    }

    /** Keys as they are. */
    public static KeyCodec<Bytes> bytes() {
        return encoded("bytes");
    }

    /** The bytes of keys of another codec, by its name. */
    static KeyCodec<Bytes> encoded(String codec) {
        return new EncodedKeys(codec);
    }

    /** A codec that orders keys the other way round; a part of a pair too. Two bytes longer. */
    public static <K> KeyCodec<K> descending(KeyCodec<K> keys) {
        return new DescendingKeys<>(keys);
    }

    /** Two keys in one, ordered by the first, then the second. For more parts, let the second be a pair. */
    public static <A, B> KeyCodec<Pair<A, B>> pair(KeyCodec<A> first, KeyCodec<B> second) {
        return new PairKeys<>(first, second);
    }

    /**
     * Keys of several parts: a record whose components are the parts, ordered by the first, then the second, and so on.
     * Parts are of type String, long or int, BigDecimal, Instant, UUID, Bytes, or such a record again. The bytes are
     * those of pairs within pairs: {@code record K(A a, B b, C c)} is stored as {@code pair(a, pair(b, c))}.
     *
     * @throws InvalidRequestException when a component has another type, or there is none
     */
    public static <R extends Record> KeyCodec<R> of(Class<R> type) {
        List<Property> parts = Property.of(type);
        if (parts.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE, "a key needs a part, and this record has none", "type", type.getName());
        }
        List<KeyCodec<Object>> codecs = parts.stream().map(Keys::codec).toList();
        KeyCodec<Object> whole = codecs.getLast();
        for (KeyCodec<Object> codec : codecs.reversed().subList(1, codecs.size())) {
            whole = erased(pair(codec, whole));
        }
        return new RecordKeys<>(parts, Property.maker(type), whole);
    }

    /** A key of two parts. */
    public record Pair<A, B>(A first, B second) {}

    private record StringKeys() implements KeyCodec<String> {
        @Override
        public String name() {
            return "string";
        }

        @Override
        public Bytes encode(String key) {
            try {
                // Not String.getBytes, which writes "?" for what is no text: two keys would become one.
                ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
                return Bytes.wrap(utf8.array(), utf8.arrayOffset(), utf8.limit());
            } catch (CharacterCodingException e) {
                throw new InvalidRequestException(
                        ErrorCode.CODEC_FAILURE,
                        "a key is no text, it has half of a surrogate pair; mend it or use Keys.bytes()",
                        "chars",
                        key.length());
            }
        }

        @Override
        public String decode(Bytes bytes) {
            String text = bytes.toUtf8();
            // What is no UTF-8 reads as this character, and several keys would become one.
            if (text.indexOf('\ufffd') >= 0 && !Bytes.utf8(text).equals(bytes)) {
                throw notThisCodec("text", bytes);
            }
            return text;
        }
    }

    private record LongKeys() implements KeyCodec<Long> {
        @Override
        public String name() {
            return "long";
        }

        @Override
        public Bytes encode(Long key) {
            return Bytes.wrap(ByteBuffer.allocate(Long.BYTES)
                    .putLong(key ^ Long.MIN_VALUE)
                    .array());
        }

        @Override
        public Long decode(Bytes bytes) {
            return fixed(bytes, Long.BYTES).getLong() ^ Long.MIN_VALUE;
        }
    }

    private record InstantKeys() implements KeyCodec<Instant> {
        private static final int LENGTH = Long.BYTES + Integer.BYTES;
        private static final int NANOS_PER_SECOND = 1_000_000_000;

        @Override
        public String name() {
            return "instant";
        }

        @Override
        public Bytes encode(Instant key) {
            return Bytes.wrap(ByteBuffer.allocate(LENGTH)
                    .putLong(key.getEpochSecond() ^ Long.MIN_VALUE)
                    .putInt(key.getNano())
                    .array());
        }

        @Override
        public Instant decode(Bytes bytes) {
            ByteBuffer buffer = fixed(bytes, LENGTH);
            long seconds = buffer.getLong() ^ Long.MIN_VALUE;
            int nanos = buffer.getInt();
            boolean valid = seconds >= Instant.MIN.getEpochSecond()
                    && seconds <= Instant.MAX.getEpochSecond()
                    && nanos >= 0
                    && nanos < NANOS_PER_SECOND;
            if (!valid) {
                throw notThisCodec("an instant", bytes);
            }
            return Instant.ofEpochSecond(seconds, nanos);
        }
    }

    private record UuidKeys() implements KeyCodec<UUID> {
        private static final int LENGTH = 2 * Long.BYTES;

        @Override
        public String name() {
            return "uuid";
        }

        @Override
        public Bytes encode(UUID key) {
            return Bytes.wrap(ByteBuffer.allocate(LENGTH)
                    .putLong(key.getMostSignificantBits())
                    .putLong(key.getLeastSignificantBits())
                    .array());
        }

        @Override
        public UUID decode(Bytes bytes) {
            ByteBuffer buffer = fixed(bytes, LENGTH);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
    }

    /** The bytes of a key that always has the same length. */
    private static ByteBuffer fixed(Bytes bytes, int length) {
        if (bytes.length() != length) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a key is not an encoded number; was it written with another key codec?",
                    "expectedBytes",
                    length,
                    "foundBytes",
                    bytes.length());
        }
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), length);
    }

    private static CorruptDataException notThisCodec(String what, Bytes bytes) {
        return new CorruptDataException(
                ErrorCode.CODEC_FAILURE,
                "a key is not " + what + "; was it written with another key codec?",
                "bytes",
                bytes.length());
    }

    private record DecimalKeys() implements KeyCodec<BigDecimal> {
        @Override
        public String name() {
            return "decimal";
        }

        @Override
        public Bytes encode(BigDecimal key) {
            return DecimalBytes.encode(key);
        }

        @Override
        public BigDecimal decode(Bytes bytes) {
            return DecimalBytes.decode(bytes);
        }
    }

    private record EncodedKeys(String name) implements KeyCodec<Bytes> {
        @Override
        public Bytes encode(Bytes key) {
            return key;
        }

        @Override
        public Bytes decode(Bytes bytes) {
            return bytes;
        }
    }

    private record DescendingKeys<K>(KeyCodec<K> keys) implements KeyCodec<K> {
        @Override
        public String name() {
            return "descending(" + keys.name() + ")";
        }

        /** No key with an end mark is the beginning of another, so that the complement turns the order round. */
        @Override
        public Bytes encode(K key) {
            return CompositeKey.prefix(keys.encode(key)).complement();
        }

        @Override
        public K decode(Bytes bytes) {
            CompositeKey.Parts parts = CompositeKey.split(bytes.complement());
            if (!parts.second().isEmpty()) {
                throw notThisCodec("a descending key", bytes);
            }
            return keys.decode(parts.first());
        }
    }

    private record PairKeys<A, B>(KeyCodec<A> first, KeyCodec<B> second) implements KeyCodec<Pair<A, B>> {
        @Override
        public String name() {
            return "pair(" + first.name() + "," + second.name() + ")";
        }

        @Override
        public Bytes encode(Pair<A, B> key) {
            return CompositeKey.join(first.encode(key.first()), second.encode(key.second()));
        }

        @Override
        public Pair<A, B> decode(Bytes bytes) {
            CompositeKey.Parts parts = CompositeKey.split(bytes);
            return new Pair<>(first.decode(parts.first()), second.decode(parts.second()));
        }
    }

    private static KeyCodec<Object> codec(Property part) {
        KeyCodec<?> codec = known(part.type());
        if (codec == null) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a part of a key has a type without an order in bytes; use String, long, int, BigDecimal, Instant,"
                            + " UUID, Bytes, or a record of these",
                    "part",
                    part.toString(),
                    "type",
                    part.type().getName());
        }
        return erased(codec);
    }

    /** The codec of a class of keys. */
    static Optional<KeyCodec<?>> ofClass(Class<?> type) {
        return Optional.ofNullable(known(type));
    }

    private static @Nullable KeyCodec<?> known(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String" -> string();
            case "long", "java.lang.Long" -> longs();
            case "int", "java.lang.Integer" -> new IntKeys();
            case "java.math.BigDecimal" -> decimals();
            case "java.time.Instant" -> instants();
            case "java.util.UUID" -> uuids();
            case "io.penstock.core.Bytes" -> bytes();
            default -> type.isRecord() ? of(type.asSubclass(Record.class)) : null;
        };
    }

    @SuppressWarnings("unchecked") // what a codec is given comes from the component of its type
    private static KeyCodec<Object> erased(KeyCodec<?> codec) {
        return (KeyCodec<Object>) codec;
    }

    /** Whole numbers as {@link LongKeys}: a component may grow from int to long. */
    private record IntKeys() implements KeyCodec<Integer> {
        @Override
        public String name() {
            return longs().name();
        }

        @Override
        public Bytes encode(Integer key) {
            return longs().encode(key.longValue());
        }

        @Override
        public Integer decode(Bytes bytes) {
            long number = longs().decode(bytes);
            if (number != (int) number) {
                throw notThisCodec("an int", bytes);
            }
            return (int) number;
        }
    }

    /** @param whole the codec of all parts, as pairs from the last to the first */
    private record RecordKeys<R extends Record>(
            List<Property> parts, Function<Object[], R> make, KeyCodec<Object> whole) implements KeyCodec<R> {
        @Override
        public String name() {
            return whole.name();
        }

        @Override
        public Bytes encode(R key) {
            Object[] values = parts.stream().map(part -> part(key, part)).toArray();
            Object rest = values[values.length - 1];
            for (int i = values.length - 2; i >= 0; i--) {
                rest = new Pair<>(values[i], rest);
            }
            return whole.encode(rest);
        }

        @Override
        public R decode(Bytes bytes) {
            Object[] values = new Object[parts.size()];
            Object rest = whole.decode(bytes);
            for (int i = 0; i < values.length - 1; i++) {
                Pair<?, ?> pair = (Pair<?, ?>) rest;
                values[i] = pair.first();
                rest = pair.second();
            }
            values[values.length - 1] = rest;
            return make.apply(values);
        }

        private static Object part(Object key, Property part) {
            Object value = part.get(key);
            if (value == null) {
                throw new InvalidRequestException(
                        ErrorCode.CODEC_FAILURE,
                        "a part of a key is null; keys have all their parts",
                        "part",
                        part.name());
            }
            return value;
        }
    }
}
