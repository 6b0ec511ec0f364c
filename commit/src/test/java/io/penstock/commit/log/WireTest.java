package io.penstock.commit.log;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WireTest {
    private static final long[] NUMBERS = {
        0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, 1L << 35, Long.MAX_VALUE, -1, Long.MIN_VALUE
    };

    @Test
    void varintsRoundTrip() {
        for (long number : NUMBERS) {
            Bytes bytes = new WireWriter(0).varint(number).toBytes();
            assertThat(new WireReader(bytes, "w").varint()).isEqualTo(number);
            assertThat(bytes.length()).isBetween(1, 10);
        }
    }

    @Test
    void mixedValuesRoundTrip() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            WireWriter out = new WireWriter(random.nextInt(40));
            List<Consumer<WireReader>> reads = new ArrayList<>();
            String run = "seed=" + seed;
            for (int i = 0; i < 20; i++) {
                write(random, out, reads, run);
            }
            assertThat(out.toBytes().length()).as(run).isEqualTo(out.length());
            WireReader in = new WireReader(out.toBytes(), "w");
            reads.forEach(read -> read.accept(in));
            in.end();
        }
    }

    private static void write(Random random, WireWriter out, List<Consumer<WireReader>> reads, String run) {
        switch (random.nextInt(5)) {
            case 0 -> {
                int value = random.nextInt(256);
                out.u8(value);
                reads.add(in -> assertThat(in.u8()).as(run).isEqualTo(value));
            }
            case 1 -> {
                int value = random.nextInt();
                out.u32(value);
                reads.add(in -> assertThat(in.u32()).as(run).isEqualTo(value));
            }
            case 2 -> {
                long value = random.nextLong();
                out.u64(value);
                reads.add(in -> assertThat(in.u64()).as(run).isEqualTo(value));
            }
            case 3 -> {
                long value = random.nextLong() >> random.nextInt(64);
                out.varint(value);
                reads.add(in -> assertThat(in.varint()).as(run).isEqualTo(value));
            }
            default -> {
                byte[] value = new byte[random.nextInt(50)];
                random.nextBytes(value);
                out.bytes(Bytes.wrap(value));
                reads.add(in -> assertThat(in.bytes()).as(run).isEqualTo(Bytes.wrap(value)));
            }
        }
    }

    @Test
    void aCountBeyondWhatIsLeftAllocatesNothing() {
        Bytes huge = new WireWriter(0).varint(Integer.MAX_VALUE).toBytes();
        assertThatThrownBy(() -> new WireReader(huge, "w").count(1)).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> new WireReader(huge, "w").bytes()).isInstanceOf(CorruptDataException.class);
        Bytes negative = new WireWriter(0).varint(-1).toBytes();
        assertThatThrownBy(() -> new WireReader(negative, "w").count(1)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void anEndTooEarlyOrTooLateIsFound() {
        assertThatThrownBy(() -> new WireReader(Bytes.EMPTY, "w").u8())
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OBJECT_DAMAGED))
                .hasMessageContaining("what=w");
        assertThatThrownBy(() -> new WireReader(Bytes.utf8("x"), "w").end())
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OBJECT_DAMAGED));
    }

    @Test
    void aVarintOfElevenBytesIsRefused() {
        byte[] endless = new byte[11];
        java.util.Arrays.fill(endless, (byte) 0xff);
        assertThatThrownBy(() -> new WireReader(Bytes.wrap(endless), "w").varint())
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OBJECT_DAMAGED));
    }
}
