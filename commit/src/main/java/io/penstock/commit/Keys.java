package io.penstock.commit;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Key codecs. Byte formats: {@code docs/FORMATS.md}, "Keys". */
public final class Keys {
    private Keys() {}

    /** UTF-8; ordered by code points. */
    public static KeyCodec<String> string() {
        return new StringKeys();
    }

    /** Eight bytes, big-endian, the sign bit flipped; ordered as numbers. */
    public static KeyCodec<Long> longs() {
        return new LongKeys();
    }

    /** Keys as they are. */
    public static KeyCodec<Bytes> bytes() {
        return new BytesKeys();
    }

    /** Two keys in one, ordered by the first, then the second. */
    public static <A, B> KeyCodec<Pair<A, B>> pair(KeyCodec<A> first, KeyCodec<B> second) {
        return new PairKeys<>(first, second);
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
                        "a key is no text, it has half of a surrogate pair; mend it or use Keys.bytes()",
                        "chars",
                        key.length());
            }
        }

        @Override
        public String decode(Bytes bytes) {
            return bytes.toUtf8();
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
            if (bytes.length() != Long.BYTES) {
                throw new CorruptDataException(
                        "a key is not an encoded number; was it written with another key codec?",
                        "expectedBytes",
                        Long.BYTES,
                        "foundBytes",
                        bytes.length());
            }
            return ByteBuffer.wrap(bytes.array(), bytes.offset(), Long.BYTES).getLong() ^ Long.MIN_VALUE;
        }
    }

    private record BytesKeys() implements KeyCodec<Bytes> {
        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public Bytes encode(Bytes key) {
            return key;
        }

        @Override
        public Bytes decode(Bytes bytes) {
            return bytes;
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
}
