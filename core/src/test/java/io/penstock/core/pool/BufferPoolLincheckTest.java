package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three threads, one pool, under stress: as if the calls came one after the other. */
@Tag("long")
@Param(name = "page", gen = IntGen.class, conf = "1:2")
@Param(name = "version", gen = IntGen.class, conf = "1:3")
public class BufferPoolLincheckTest {
    private static final TreeId TREE = new TreeId(1);

    /** Made once, since images are values: their making is not what is tested. */
    private static final PageFrame[][] FRAMES = new PageFrame[3][4];

    static {
        for (int page = 1; page < FRAMES.length; page++) {
            for (int version = 1; version < FRAMES[page].length; version++) {
                PageHeader header = PageHeader.of(id(page), PageKind.LEDGER, 0, version, page * 10L + version);
                PageImage image = LedgerPages.encode(header, Bytes.wrap(new byte[20 * version]));
                FRAMES[page][version] = new PageFrame(image, new ObjectVersion(page + "/" + version), 0);
            }
        }
    }

    private final BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(1));

    private static PageId id(int page) {
        return new PageId(TREE, page);
    }

    /** The version that the pool has afterwards. */
    @Operation
    public long offer(@Param(name = "page") int page, @Param(name = "version") int version) {
        return pool.offer(FRAMES[page][version], pool.mark()).image().version();
    }

    @Operation
    public long find(@Param(name = "page") int page) {
        PageFrame found = pool.find(id(page));
        return found == null ? 0 : found.image().version();
    }

    /** Does as a reader does when the store says that a page is gone. */
    @Operation
    public void forget(@Param(name = "page") int page) {
        pool.forget(id(page), pool.peek(id(page)));
    }

    @Operation
    public int pages() {
        return (int) pool.stats().pages();
    }

    /** The same pool as one thread would see it. */
    public static class Sequential {
        private final Map<Integer, Integer> versions = new TreeMap<>();

        public long offer(int page, int version) {
            return versions.merge(page, version, Math::max);
        }

        public long find(int page) {
            return versions.getOrDefault(page, 0);
        }

        public void forget(int page) {
            versions.remove(page);
        }

        public int pages() {
            return versions.size();
        }
    }

    @Test
    void callsSeemToComeOneAfterTheOther() {
        new StressOptions()
                .sequentialSpecification(Sequential.class)
                .minimizeFailedScenario(false)
                .iterations(10)
                .invocationsPerIteration(2000)
                .actorsBefore(1)
                .actorsAfter(2)
                .threads(3)
                .actorsPerThread(3)
                .check(BufferPoolLincheckTest.class);
    }
}
