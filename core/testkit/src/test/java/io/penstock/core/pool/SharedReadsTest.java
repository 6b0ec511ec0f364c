package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.SamplePages;
import io.penstock.core.task.Task;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.Simulation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Callers that share the answer to one request, which comes late: nobody gets a page that is older than the TTL. */
class SharedReadsTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration LATE = TTL.plusSeconds(2);

    private final MemoryObjectStore store = new MemoryObjectStore();

    /** A client and its pages, and how another one sees them. */
    private final class Setting {
        final SimulatedClient tasks;
        final PageManager pages;
        final PageManager others;

        Setting(Simulation simulation) {
            tasks = simulation.client("main");
            pages = new PageManager(store, new BufferPool(1 << 20, TTL), tasks, "shop/");
            others = new PageManager(store, new BufferPool(1 << 20, TTL), tasks, "shop/");
        }

        /** Begins to read the page, whose answer of now comes late. */
        Task<Optional<PageFrame>> readSlowly() {
            store.setHook(new MemoryObjectStore.Hook() {
                @Override
                public void after(Call call, String key) {
                    store.clearHook();
                    tasks.sleep(LATE);
                }
            });
            Task<Optional<PageFrame>> slow = tasks.fork("slow", () -> pages.get(SamplePages.ID));
            tasks.sleep(Duration.ofMillis(1));
            return slow;
        }
    }

    private void run(Consumer<Setting> body) {
        Simulation simulation = new Simulation(1);
        simulation.run(() -> {
            body.accept(new Setting(simulation));
            return true;
        });
    }

    private static PageImage page(long version) {
        PageHeader header = PageHeader.of(SamplePages.ID, PageKind.LEDGER, 0, version, version);
        return LedgerPages.encode(header, Bytes.utf8("version " + version));
    }

    /** What a session has written leaves its memory a TTL after the ledger has it: then pages must show it. */
    @Test
    void aPageThatWasAskedForLongerThanTheTtlAgoIsAskedForAgain() {
        run(setting -> {
            PageFrame first = setting.others.put(page(1), WriteCondition.IF_ABSENT);
            Task<Optional<PageFrame>> slow = setting.readSlowly();
            setting.others.put(page(2), WriteCondition.ifVersion(first.version()));
            setting.tasks.sleep(TTL.plusSeconds(1));
            Optional<PageFrame> late = setting.pages.get(SamplePages.ID);
            assertThat(late.orElseThrow().image().version()).isEqualTo(2);
            assertThat(slow.join().orElseThrow().image().version()).isEqualTo(1);
        });
    }

    @Test
    void aYoungAnswerIsShared() {
        run(setting -> {
            setting.others.put(page(1), WriteCondition.IF_ABSENT);
            Task<Optional<PageFrame>> slow = setting.readSlowly();
            setting.tasks.sleep(TTL.minusSeconds(1));
            int before = store.count(Call.GET);
            assertThat(setting.pages.get(SamplePages.ID)).isEqualTo(slow.join());
            assertThat(store.count(Call.GET)).isEqualTo(before);
        });
    }

    /** A page that another one names by now was not there when the answer was given. */
    @Test
    void thatThereWasNoPageIsNotShared() {
        run(setting -> {
            Task<Optional<PageFrame>> slow = setting.readSlowly();
            setting.others.put(page(1), WriteCondition.IF_ABSENT);
            assertThat(setting.pages.get(SamplePages.ID)).isPresent();
            assertThat(slow.join()).isEmpty();
        });
    }
}
