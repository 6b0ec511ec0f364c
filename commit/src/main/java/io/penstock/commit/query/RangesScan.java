package io.penstock.commit.query;

import io.penstock.commit.session.RecordScan;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.KeyRange;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A scan of several ranges, one after the other. For one thread. */
public final class RangesScan implements RecordScan {
    private final IntFunction<List<KeyRange>> ranges;
    private @Nullable ArrayDeque<KeyRange> left;

    /** The ranges of {@code left} that were not announced yet. */
    private Iterator<KeyRange> unannounced = Collections.emptyIterator();

    private final Ahead announcing;
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

    /**
     * @param ranges finds them when the first one is needed; receives the number that are announced then
     * @param wanted whether a range still needs to be scanned when its turn has come; if not, none behind it does
     */
    public RangesScan(
            IntFunction<List<KeyRange>> ranges,
            Ahead ahead,
            Predicate<KeyRange> wanted,
            Function<KeyRange, RecordScan> open) {
        this.ranges = ranges;
        this.announcing = ahead;
        this.width = ahead.first;
        this.wanted = wanted;
        this.open = open;
    }

    @Override
    public @Nullable LeafRun advance() {
        while (true) {
            RecordScan at = scan;
            if (at == null) {
                ArrayDeque<KeyRange> coming = announced();
                KeyRange next = coming.peek();
                if (next == null || !wanted.test(next)) {
                    coming.clear();
                    return null;
                }
                at = open.apply(next);
                scan = at;
                coming.remove();
                announced--;
                width = Math.min(announcing.most, 2 * width);
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

    /** The ranges that are left, after those that come next were announced. */
    private ArrayDeque<KeyRange> announced() {
        int ahead = all ? announcing.most : width;
        ArrayDeque<KeyRange> found = left;
        if (found == null) {
            List<KeyRange> asked = ranges.apply(ahead);
            found = new ArrayDeque<>(asked);
            left = found;
            unannounced = List.copyOf(asked).iterator();
        }
        for (; announced < ahead && unannounced.hasNext(); announced++) {
            announcing.coming.accept(unannounced.next());
        }
        return found;
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
