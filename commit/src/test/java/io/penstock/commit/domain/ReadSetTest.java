package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.domain.Validator.WrittenKeys;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadSetTest {
    private static final TreeId TREE = new TreeId(1);

    private static Bytes key(int number) {
        return Bytes.wrap(new byte[] {(byte) number});
    }

    private static LogRecord write(TreeId tree, int key) {
        return new LogRecord(tree, new RecordChange.Delete(key(key), Stamp.ZERO));
    }

    private static WrittenKeys keys(LogRecord write) {
        WrittenKeys keys = new WrittenKeys();
        keys.add(List.of(write));
        return keys;
    }

    @Test
    void anEmptyOneConflictsWithNothing() {
        ReadSet reads = new ReadSet();
        reads.add(TREE, new KeyRange(key(5), key(5)));
        assertThat(reads.isEmpty()).isTrue();
        assertThat(reads.bytes()).isZero();
        assertThat(reads.conflict(write(TREE, 5))).isEmpty();
        assertThat(reads.tooOld()).isEmpty();
    }

    @Test
    void tellsKeysFromRangesAndTrees() {
        ReadSet reads = new ReadSet();
        reads.add(TREE, key(3));
        reads.add(TREE, KeyRange.atLeast(key(7)));
        assertThat(reads.conflict(write(TREE, 3))).hasValue(new Conflict(TREE, Conflict.Kind.KEY, key(3)));
        assertThat(reads.conflict(write(TREE, 7))).hasValue(new Conflict(TREE, Conflict.Kind.RANGE, key(7)));
        assertThat(reads.conflict(write(TREE, 6))).isEmpty();
        assertThat(reads.conflict(write(new TreeId(2), 3))).isEmpty();
    }

    @Test
    void rangesThatTouchBecomeOne() {
        ReadSet reads = new ReadSet();
        for (int i = 0; i < 50; i++) {
            reads.add(TREE, new KeyRange(key(i), key(i + 1)));
        }
        ReadSet one = new ReadSet();
        one.add(TREE, new KeyRange(key(0), key(50)));
        assertThat(reads.bytes()).isEqualTo(one.bytes());
    }

    /** Random keys and ranges beside plain lists of them. */
    @Test
    void remembersAllThatWasRead() {
        for (long seed = 1; seed <= 3_000; seed++) {
            Random random = new Random(seed);
            ReadSet reads = new ReadSet();
            List<Integer> keys = new ArrayList<>();
            List<KeyRange> ranges = new ArrayList<>();
            long expiry = random.nextBoolean() ? Expiry.NEVER : 1 + random.nextInt(9);
            reads.addAlive(TREE, expiry);
            for (int i = random.nextInt(8); i >= 0; i--) {
                if (random.nextInt(3) == 0) {
                    int key = random.nextInt(30);
                    keys.add(key);
                    reads.add(TREE, key(key));
                } else {
                    int from = random.nextInt(30);
                    KeyRange range = random.nextInt(10) == 0
                            ? KeyRange.atLeast(key(from))
                            : new KeyRange(key(from), key(from + random.nextInt(6)));
                    ranges.add(range);
                    reads.add(TREE, range);
                }
            }
            for (int now = 0; now < 10; now++) {
                boolean expired = expiry <= now;
                assertThat(again(reads).expired(now))
                        .as("seed=%d now=%d", seed, now)
                        .matches(c -> c.isPresent() == expired);
            }
            for (int key = 0; key < 40; key++) {
                int probe = key;
                boolean read = keys.contains(key) || ranges.stream().anyMatch(range -> range.contains(key(probe)));
                LogRecord write = write(TREE, key);
                assertThat(reads.conflict(write))
                        .as("seed=%d key=%d", seed, key)
                        .matches(c -> c.isPresent() == read);
                assertThat(reads.conflict(keys(write)))
                        .as("seed=%d key=%d", seed, key)
                        .matches(c -> c.isPresent() == read);
                assertThat(again(reads).conflict(write)).isEqualTo(reads.conflict(write));
            }
        }
    }

    private static ReadSet again(ReadSet reads) {
        WireWriter out = new WireWriter(64);
        reads.write(out);
        WireReader in = new WireReader(out.toBytes(), "a read set");
        ReadSet read = ReadSet.read(in);
        in.end();
        assertThat(read.bytes()).isEqualTo(reads.bytes());
        assertThat(read.asOfMillis()).isEqualTo(reads.asOfMillis());
        return read;
    }

    @Test
    void tooOldNamesATree() {
        ReadSet reads = new ReadSet();
        reads.add(TREE, key(1));
        assertThat(reads.tooOld()).isEqualTo(Optional.of(Conflict.tooOld(TREE)));
    }
}
