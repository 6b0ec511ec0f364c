package io.penstock.commit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.checkpoint.Ledger.Hole;
import io.penstock.commit.checkpoint.Ledger.Progress;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final ClientId A = new ClientId(1);
    private static final ClientId B = new ClientId(-2);

    @Test
    void anUnknownClientHasNothingApplied() {
        assertThat(Ledger.EMPTY.covers(A, 1, 1)).isFalse();
        assertThat(Ledger.EMPTY.of(A)).isEqualTo(Progress.NONE);
    }

    @Test
    void inOrder() {
        Progress progress = Progress.NONE.with(1, 3, 10).with(4, 4, 20);
        assertThat(progress.highest()).isEqualTo(4);
        assertThat(progress.holes()).isEmpty();
        assertThat(progress.updatedMillis()).isEqualTo(20);
        assertThat(progress.covers(1, 4)).isTrue();
        assertThat(progress.covers(4, 5)).isFalse();
    }

    @Test
    void aSkippedNumberIsAHoleUntilItComes() {
        Progress progress = Progress.NONE.with(1, 2, 0).with(6, 7, 0);
        assertThat(progress.holes()).containsExactly(new Hole(3, 5));
        assertThat(progress.covers(6, 7)).isTrue();
        assertThat(progress.covers(2, 3)).isFalse();
        assertThat(progress.covers(4, 4)).isFalse();
        Progress part = progress.with(4, 4, 0);
        assertThat(part.holes()).containsExactlyInAnyOrder(new Hole(3, 3), new Hole(5, 5));
        assertThat(part.with(3, 3, 0).with(5, 5, 0).covers(1, 7)).isTrue();
    }

    /** Against the plainest model: a set of numbers. */
    @Test
    void agreesWithASetOfNumbers() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            BitSet applied = new BitSet();
            Progress progress = Progress.NONE;
            for (int i = 0; i < 25; i++) {
                int first = 1 + random.nextInt(40);
                int last = first + random.nextInt(4);
                if (random.nextBoolean()) {
                    progress = progress.with(first, last, i);
                    applied.set(first, last + 1);
                }
                int from = 1 + random.nextInt(44);
                int to = from + random.nextInt(4);
                boolean all = applied.nextClearBit(from) > to;
                assertThat(progress.covers(from, to))
                        .as("seed=%d from=%d to=%d", seed, from, to)
                        .isEqualTo(all);
            }
            Ledger ledger = Ledger.EMPTY.with(B, progress);
            assertThat(Ledger.decode(ledger.encode(), "key"))
                    .as("seed=%d", seed)
                    .isEqualTo(ledger);
        }
    }

    @Test
    void encodesAllClients() {
        Ledger ledger = Ledger.EMPTY
                .with(A, new Progress(1L << 40, List.of(new Hole(3, 5)), 1_800_000_000_000L))
                .with(B, new Progress(1, List.of(), 7));
        Ledger decoded = Ledger.decode(ledger.encode(), "key");
        assertThat(decoded).isEqualTo(ledger).hasSameHashCodeAs(ledger);
        assertThat(decoded.idleSince(100)).containsExactly(B);
        assertThat(decoded.without(Set.of(B)).idleSince(100)).isEmpty();
        assertThat(decoded).hasToString(ledger.toString());
        assertThat(decoded).isNotEqualTo(Ledger.EMPTY);
    }

    @Test
    void damageIsNamed() {
        Bytes good = Ledger.EMPTY
                .with(A, new Progress(9, List.of(new Hole(1, 2)), 7))
                .encode();
        for (int length = 0; length < good.length(); length++) {
            Bytes cut = good.slice(0, length);
            assertThatThrownBy(() -> Ledger.decode(cut, "the/key"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("the/key");
        }
    }

    @Test
    void randomBytesAreReadOrRefused() {
        for (long seed = 1; seed <= 3000; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[random.nextInt(50)];
            random.nextBytes(noise);
            try {
                assertThat(Ledger.decode(Bytes.wrap(noise), "key")).isNotNull();
            } catch (CorruptDataException expected) {
                assertThat(expected).as("seed=%d", seed).hasMessageContaining("key");
            }
        }
    }

    /** A record below a hole that reaches too far would be applied again and again, or never. */
    @Test
    void numbersThatMakeNoSenseAreRefused() {
        List<Progress> wrong = List.of(
                new Progress(9, List.of(new Hole(0, 2)), 7),
                new Progress(9, List.of(new Hole(4, 3)), 7),
                new Progress(9, List.of(new Hole(4, 10)), 7),
                new Progress(-1, List.of(), 7));
        for (Progress progress : wrong) {
            Bytes body = Ledger.EMPTY.with(A, progress).encode();
            assertThatThrownBy(() -> Ledger.decode(body, "key")).isInstanceOf(CorruptDataException.class);
        }
    }
}
