package io.penstock.commit.query;

import io.penstock.commit.session.RecordScan;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.KeyRange;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A scan of several ranges, one after the other. For one thread. */
public final class RangesScan implements RecordScan {
    /** The number of ranges that are announced before the first one is scanned; one more with each that is. */
    private static final int AHEAD_AT_FIRST = 16;

    private final ArrayDeque<KeyRange> left;

    /** The ranges of {@code left} that were not announced yet. */
    private final Iterator<KeyRange> unannounced;

    private final Consumer<KeyRange> coming;
    private final int aheadMax;
    private int announced;
    private int opened;
    private final Predicate<KeyRange> wanted;
    private final Function<KeyRange, RecordScan> open;
    private @Nullable RecordScan scan;
    private boolean all;

    /**
     * @param coming receives ranges some time before they are opened
     * @param open opens the scan of a range
     */
    public RangesScan(List<KeyRange> ranges, Consumer<KeyRange> coming, Function<KeyRange, RecordScan> open) {
        this(ranges, AHEAD_AT_FIRST, coming, range -> true, open);
    }

    /**
     * @param aheadMax the most ranges that are announced before they are scanned
     * @param wanted whether a range still needs to be scanned when its turn has come; if not, none behind it does
     */
    public RangesScan(
            List<KeyRange> ranges,
            int aheadMax,
            Consumer<KeyRange> coming,
            Predicate<KeyRange> wanted,
            Function<KeyRange, RecordScan> open) {
        this.aheadMax = aheadMax;
        this.wanted = wanted;
        this.left = new ArrayDeque<>(ranges);
        this.unannounced = List.copyOf(ranges).iterator();
        this.coming = coming;
        this.open = open;
    }

    @Override
    public @Nullable LeafRun advance() {
        while (true) {
            RecordScan at = scan;
            if (at == null) {
                announce();
                KeyRange next = left.poll();
                if (next == null || !wanted.test(next)) {
                    left.clear();
                    return null;
                }
                announced--;
                opened++;
                at = open.apply(next);
                scan = at;
                if (all) {
                    at.expectAll();
                }
            }
            LeafRun run = at.advance();
            if (run != null) {
                return run;
            }
            close();
        }
    }

    private void announce() {
        int ahead = all ? aheadMax : Math.min(aheadMax, AHEAD_AT_FIRST + opened);
        while (announced < ahead && unannounced.hasNext()) {
            coming.accept(unannounced.next());
            announced++;
        }
    }

    @Override
    public void expect(long records) {
        // A filter takes some of them: how many must be read is not known.
    }

    @Override
    public void expectAll() {
        all = true;
        if (scan != null) {
            scan.expectAll();
        }
    }

    @Override
    public void close() {
        if (scan != null) {
            scan.close();
            scan = null;
        }
    }
}
