package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Keys.Pair;
import io.penstock.commit.index.CompositeKey;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Key codecs: round trip, and the order of the bytes is the order of the values. */
class KeysTest {
    private static final int ROUNDS = 3000;

    @Test
    void longs() {
        property(Keys.longs(), random -> random.nextLong() >> random.nextInt(64), Comparator.naturalOrder());
    }

    @Test
    void strings() {
        property(Keys.string(), KeysTest::text, KeysTest::byCodePoint);
    }

    @Test
    void bytes() {
        property(Keys.bytes(), KeysTest::zeroes, Comparator.naturalOrder());
    }

    @Test
    void instants() {
        property(Keys.instants(), KeysTest::instant, Comparator.naturalOrder());
    }

    @Test
    void uuids() {
        property(
                Keys.uuids(),
                r -> new UUID(r.nextLong() >> r.nextInt(64), r.nextLong() >> r.nextInt(64)),
                Comparator.comparing(UUID::toString));
    }

    @Test
    void decimals() {
        property(Keys.decimals(), KeysTest::decimal, Comparator.naturalOrder());
    }

    /** As the sorted list that a reader of the format would write down. */
    @Test
    void decimalsInOrder() {
        List<Bytes> keys = Stream.of(
                        "-1E+300", "-101", "-100.01", "-100", "-99.9", "-1.23", "-1.2", "-1", "-0.1", "-1E-300", "0",
                        "1E-300", "0.1", "0.99", "1", "1.2", "1.23", "9.9", "10", "100", "100.01", "101", "1E+300")
                .map(BigDecimal::new)
                .map(Keys.decimals()::encode)
                .toList();
        assertThat(keys).isSorted();
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void equalDecimalsAreOneKey() {
        assertThat(Keys.decimals().encode(new BigDecimal("1.50")))
                .isEqualTo(Keys.decimals().encode(new BigDecimal("1.5")));
        assertThat(Keys.decimals().encode(new BigDecimal("0.00")))
                .isEqualTo(Keys.decimals().encode(BigDecimal.ZERO));
    }

    @Test
    void decimalsBeyondTheFormatAreRefused() {
        assertThatThrownBy(() -> Keys.decimals().encode(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("exponent=");
        assertThatThrownBy(() -> Keys.decimals().encode(new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("scale=");
    }

    @Test
    void descending() {
        property(Keys.descending(Keys.bytes()), KeysTest::zeroes, Comparator.reverseOrder());
        property(Keys.descending(Keys.decimals()), KeysTest::decimal, Comparator.reverseOrder());
        Comparator<Pair<Bytes, Bytes>> order = Comparator.comparing(
                        (Pair<Bytes, Bytes> p) -> p.first(), Comparator.reverseOrder())
                .thenComparing(Pair::second);
        property(Keys.pair(Keys.descending(Keys.bytes()), Keys.bytes()), r -> new Pair<>(zeroes(r), zeroes(r)), order);
        Comparator<Pair<Bytes, Bytes>> lastDown = Comparator.comparing((Pair<Bytes, Bytes> p) -> p.first())
                .thenComparing(Pair::second, Comparator.reverseOrder());
        property(
                Keys.pair(Keys.bytes(), Keys.descending(Keys.bytes())),
                r -> new Pair<>(zeroes(r), zeroes(r)),
                lastDown);
    }

    /** Whatever the bytes: a value that encodes to them, or a refusal. */
    @Test
    void randomBytesAreDecodedOrRefused() {
        List<KeyCodec<?>> codecs = List.of(
                Keys.longs(),
                Keys.instants(),
                Keys.uuids(),
                Keys.decimals(),
                Keys.descending(Keys.decimals()),
                Keys.pair(Keys.descending(Keys.longs()), Keys.decimals()));
        for (long seed = 1; seed <= ROUNDS; seed++) {
            for (KeyCodec<?> codec : codecs) {
                decodeOrRefuse(codec, seed);
            }
        }
    }

    private static <K> void decodeOrRefuse(KeyCodec<K> codec, long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        if (bytes.length > 0 && random.nextBoolean()) {
            bytes[0] = (byte) random.nextInt(3);
            bytes[bytes.length - 1] = (byte) random.nextInt(-2, 2);
        }
        try {
            K key = codec.decode(Bytes.wrap(bytes));
            assertThat(codec.encode(key))
                    .as("seed=%d codec=%s", seed, codec.name())
                    .isEqualTo(Bytes.wrap(bytes));
        } catch (CorruptDataException expected) {
            assertThat(expected).is(code(ErrorCode.CODEC_FAILURE));
        }
    }

    private static Instant instant(Random random) {
        return Instant.ofEpochSecond(
                random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()) >> random.nextInt(50),
                random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
    }

    private static BigDecimal decimal(Random random) {
        BigInteger digits = new BigInteger(random.nextInt(1, 80), random);
        return new BigDecimal(random.nextBoolean() ? digits : digits.negate(), random.nextInt(-6, 7))
                .stripTrailingZeros();
    }

    @Test
    void pairs() {
        Comparator<Pair<Bytes, Bytes>> order =
                Comparator.comparing((Pair<Bytes, Bytes> p) -> p.first()).thenComparing(Pair::second);
        property(Keys.pair(Keys.bytes(), Keys.bytes()), r -> new Pair<>(zeroes(r), zeroes(r)), order);
    }

    @Test
    void pairsOfPairs() {
        Comparator<Pair<Pair<Bytes, Long>, Bytes>> order = Comparator.comparing(
                        (Pair<Pair<Bytes, Long>, Bytes> p) -> p.first().first())
                .thenComparing(p -> p.first().second())
                .thenComparing(Pair::second);
        property(
                Keys.pair(Keys.pair(Keys.bytes(), Keys.longs()), Keys.bytes()),
                r -> new Pair<>(new Pair<>(zeroes(r), (long) r.nextInt(3)), zeroes(r)),
                order);
    }

    @Test
    void namesTellCodecsApart() {
        assertThat(Keys.pair(Keys.string(), Keys.longs()).name()).isEqualTo("pair(string,long)");
        assertThat(Keys.bytes().name()).isNotEqualTo(Keys.string().name());
    }

    /** Two different strings must never become one key. */
    @Test
    void textThatIsNoUnicodeIsRefused() {
        assertThatThrownBy(() -> Keys.string().encode("a\ud800"))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.CODEC_FAILURE));
    }

    @Test
    void aNumberOfAnotherSizeIsRefused() {
        assertThatThrownBy(() -> Keys.longs().decode(Bytes.utf8("abc")))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.CODEC_FAILURE));
    }

    @Test
    void compositeKeysRoundTripAndAreOrdered() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed);
            Bytes first = zeroes(random);
            Bytes second = zeroes(random);
            Bytes joined = CompositeKey.join(first, second);
            assertThat(joined.startsWith(CompositeKey.prefix(first))).isTrue();
            CompositeKey.Parts parts = CompositeKey.split(joined);
            assertThat(parts.first()).as("seed=%d", seed).isEqualTo(first);
            assertThat(parts.second()).as("seed=%d", seed).isEqualTo(second);
            Bytes other = zeroes(random);
            boolean same = CompositeKey.join(other, second).startsWith(CompositeKey.prefix(first));
            assertThat(same).as("seed=%d", seed).isEqualTo(other.equals(first));
        }
    }

    @Test
    void bytesThatAreNoCompositeKeyAreRefused() {
        for (Bytes bad : new Bytes[] {
            Bytes.EMPTY, Bytes.utf8("abc"), Bytes.wrap(new byte[] {0}), Bytes.wrap(new byte[] {1, 0, 2, 3})
        }) {
            assertThatThrownBy(() -> CompositeKey.split(bad))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.CODEC_FAILURE));
        }
    }

    @Test
    void randomBytesAreSplitOrRefused() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Bytes bytes = zeroes(new Random(seed));
            try {
                CompositeKey.Parts parts = CompositeKey.split(bytes);
                assertThat(CompositeKey.join(parts.first(), parts.second()))
                        .as("seed=%d", seed)
                        .isEqualTo(bytes);
            } catch (CorruptDataException expected) {
                assertThat(expected).is(code(ErrorCode.CODEC_FAILURE));
            }
        }
    }

    private static <K> void property(KeyCodec<K> codec, Function<Random, K> draw, Comparator<K> order) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed);
            K a = draw.apply(random);
            K b = draw.apply(random);
            assertThat(codec.decode(codec.encode(a))).as("seed=%d", seed).isEqualTo(a);
            int byBytes = Integer.signum(codec.encode(a).compareTo(codec.encode(b)));
            assertThat(byBytes).as("seed=%d", seed).isEqualTo(Integer.signum(order.compare(a, b)));
        }
    }

    /** Short strings of few different bytes, 0x00, 0x01 and 0xff among them: where escapes may go wrong. */
    private static Bytes zeroes(Random random) {
        byte[] bytes = new byte[random.nextInt(6)];
        byte[] alphabet = {0, 1, 2, (byte) 0xff, 0x61};
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return Bytes.wrap(bytes);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int[] alphabet = {0, 1, 'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xfffd, 0x10000, 0x10ffff};
        for (int i = random.nextInt(5); i > 0; i--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    private static int byCodePoint(String a, String b) {
        return java.util.Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    /** Two keys that are no UTF-8 were read as one. */
    @Test
    void whatIsNoTextIsNoStringKey() {
        for (byte[] bytes : List.of(new byte[] {-1}, new byte[] {'a', -2}, new byte[] {(byte) 0xc0, (byte) 0x80})) {
            assertThatThrownBy(() -> Keys.string().decode(Bytes.wrap(bytes))).isInstanceOf(CorruptDataException.class);
        }
        assertThat(Keys.string().decode(Bytes.utf8("\ufffd"))).isEqualTo("\ufffd");
    }
}
