package io.penstock.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.Keys.Pair;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.util.Comparator;
import java.util.Random;
import java.util.function.Function;
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
                .hasMessageContaining("surrogate");
    }

    @Test
    void aNumberOfAnotherSizeIsRefused() {
        assertThatThrownBy(() -> Keys.longs().decode(Bytes.utf8("abc")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("was it written with another key codec?");
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
                    .hasMessageContaining("was it written with another key codec?");
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
                assertThat(expected).hasMessageContaining("no composite key");
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
}
