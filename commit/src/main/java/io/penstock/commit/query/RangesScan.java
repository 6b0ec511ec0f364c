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
    private final ArrayDeque<KeyRange> left;

    /** The ranges of {@code left} that were not announced yet. */
    private final Iterator<KeyRange> unannounced;

    private final Ahead ahead;
    private final Predicate<KeyRange> wanted;
    private final Function<KeyRange, RecordScan> open;
    private int width;
    private int announced;
    private @Nullable RecordScan scan;
    private boolean all;

    /**
     * The announcing of ranges some time before they are scanned.
     *
     * @param first the number that are announced before the first one is scanned; twice as many with each that is
     * @param most the most of them
     */
    public record Ahead(int first, int most, Consumer<KeyRange> coming) {
        private static final int AT_FIRST = 16;
        private static final int MOST = 64;

        /**
         * For a scan of many ranges.
         *
         * @param limited whether it may end after the first one
         * @param room for leaves that are read ahead
         */
        public static Ahead of(boolean limited, long room, Consumer<KeyRange> coming) {
            int most = (int) Math.clamp(room, 1, MOST);
            return new Ahead(limited ? 1 : Math.min(AT_FIRST, most), most, coming);
        }
    }

    /** @param wanted whether a range still needs to be scanned when its turn has come; if not, none behind it does */
    public RangesScan(
            List<KeyRange> ranges, Ahead ahead, Predicate<KeyRange> wanted, Function<KeyRange, RecordScan> open) {
        this.left = new ArrayDeque<>(ranges);
        this.unannounced = List.copyOf(ranges).iterator();
        this.ahead = ahead;
        this.width = ahead.first;
        this.wanted = wanted;
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
                width = Math.min(ahead.most, 2 * width);
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
        for (; announced < (all ? ahead.most : width) && unannounced.hasNext(); announced++) {
            ahead.coming.accept(unannounced.next());
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
