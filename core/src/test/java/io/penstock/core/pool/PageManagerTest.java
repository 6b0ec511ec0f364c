package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.SamplePages;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PageManagerTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);
    private final PageManager pages = manager();
    private final PageManager other = manager();

    private PageManager manager() {
        BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(10));
        return new PageManager(store, pool, tasks, "shop/");
    }

    private static PageImage page(long version, long writeId) {
        PageHeader header = PageHeader.of(SamplePages.ID, PageKind.LEDGER, 0, version, writeId);
        return LedgerPages.encode(header, Bytes.utf8("body " + writeId));
    }

    private static void lose(boolean effect, MemoryObjectStore store) {
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                fail(call, !effect);
            }

            @Override
            public void after(Call call, String key) {
                fail(call, effect);
            }

            private void fail(Call call, boolean now) {
                if (call == Call.PUT && now) {
                    throw new OutcomeUnknownException("the answer was lost");
                }
            }
        });
    }

    @Test
    void namesObjectsByTreeAndPage() {
        assertThat(pages.objectKey(SamplePages.ID)).isEqualTo("shop/pages/0000000000001234/0000000000005678");
    }

    @Test
    void aCompressedPageIsPooledAndReadAsItIs() {
        PageImage page = SamplePages.words(1, 300);
        pages.put(page, WriteCondition.IF_ABSENT, Compression.ZSTD);
        Bytes stored = store.get(pages.objectKey(SamplePages.ID)).orElseThrow().body();
        assertThat(stored.length()).isLessThan(page.bytes().length() / 3);
        int reads = store.count(Call.GET);
        assertThat(pages.get(SamplePages.ID).orElseThrow().image()).isSameAs(page);
        assertThat(store.count(Call.GET)).isEqualTo(reads);
        assertThat(other.get(SamplePages.ID).orElseThrow().image().bytes()).isEqualTo(page.bytes());
        assertThat(pages.pool().stats().bytes())
                .isEqualTo(other.pool().stats().bytes())
                .isGreaterThan(page.bytes().length());
    }

    /** The writer of a page decides how it is stored; its readers need not know. */
    @Test
    void pagesChangeBetweenCompressedAndNot() {
        PageImage first = SamplePages.words(1, 300);
        PageFrame written = pages.put(first, WriteCondition.IF_ABSENT);
        PageImage second = LeafEntries.builder(first)
                .keepAll()
                .build()
                .layout(first.header().next(99, 5), 0, first.count())
                .encode();
        PageFrame next = pages.put(second, WriteCondition.ifVersion(written.version()), Compression.ZSTD);
        assertThat(other.refresh(SamplePages.ID).orElseThrow().image().bytes()).isEqualTo(second.bytes());
        PageImage third = LeafEntries.builder(second)
                .keepAll()
                .build()
                .layout(second.header().next(100, 6), 0, second.count())
                .encode();
        pages.put(third, WriteCondition.ifVersion(next.version()), Compression.NONE);
        assertThat(other.refresh(SamplePages.ID).orElseThrow().image().bytes()).isEqualTo(third.bytes());
    }

    @Test
    void aCompressedWriteWhoseAnswerWasLostIsFoundByItsWriteId() {
        lose(true, store);
        PageImage page = SamplePages.words(1, 300);
        PageFrame written = pages.put(page, WriteCondition.IF_ABSENT, Compression.ZSTD);
        assertThat(written.image().bytes()).isEqualTo(page.bytes());
    }

    @Test
    void readsOnceThenFromThePool() {
        other.put(page(1, 11), WriteCondition.IF_ABSENT);
        assertThat(pages.get(SamplePages.ID)).isPresent();
        assertThat(pages.get(SamplePages.ID)).isPresent();
        assertThat(store.count(Call.GET)).isEqualTo(1);
        assertThat(pages.pool().stats().hits()).isEqualTo(1);
    }

    /** A checkpoint of the same client made the page while the answer was on its way; a session had seen it. */
    @Test
    void aReadThatBeganBeforeAPageWasSeenIsNotShared() {
        PageManager lane = new PageManager(store, pages.pool(), tasks, "shop/");
        List<Optional<PageFrame>> meanwhile = new ArrayList<>();
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void after(Call call, String key) {
                if (call == Call.GET && meanwhile.isEmpty()) {
                    meanwhile.add(Optional.empty());
                    lane.put(page(1, 11), WriteCondition.IF_ABSENT);
                    meanwhile.add(pages.get(SamplePages.ID));
                    tasks.advance(Duration.ofSeconds(11));
                    meanwhile.add(pages.get(SamplePages.ID));
                }
            }
        });
        assertThat(pages.get(SamplePages.ID))
                .as("asked before there was a page")
                .isEmpty();
        assertThat(meanwhile).hasSize(3);
        assertThat(meanwhile.get(1)).isPresent();
        assertThat(meanwhile.get(2)).as("due, and a read is under way").isPresent();
        assertThat(pages.get(SamplePages.ID)).isPresent();
    }

    /** The page was read, written, seen and evicted by then: reads must not go back for a TTL. */
    @Test
    void theAnswerOfASlowReadDoesNotHideANewerPage() {
        PageManager small = new PageManager(store, new BufferPool(4096, Duration.ofHours(1)), tasks, "shop/");
        PageFrame first = other.put(page(1, 11), WriteCondition.IF_ABSENT);
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void after(Call call, String key) {
                store.clearHook();
                small.put(page(2, 12), WriteCondition.ifVersion(first.version()));
                small.pool().clear();
            }
        });
        small.get(SamplePages.ID);
        assertThat(small.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(2);
    }

    @Test
    void asksAgainAfterTheTtl() {
        PageFrame first = other.put(page(1, 11), WriteCondition.IF_ABSENT);
        pages.get(SamplePages.ID);
        tasks.advance(Duration.ofSeconds(11));
        assertThat(pages.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(1);
        assertThat(pages.get(SamplePages.ID)).isPresent();
        assertThat(store.count(Call.GET_IF_CHANGED)).isEqualTo(1);
        other.put(page(2, 12), WriteCondition.ifVersion(first.version()));
        assertThat(pages.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(1);
        tasks.advance(Duration.ofSeconds(11));
        assertThat(pages.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(2);
        assertThat(pages.pool().stats().revalidations()).isEqualTo(2);
    }

    @Test
    void whoIsToldOfChangesAsksAboutNothingElse() {
        PageManager told = pages.forNotifiedReaders();
        PageFrame first = other.put(page(1, 11), WriteCondition.IF_ABSENT);
        told.get(SamplePages.ID);
        tasks.advance(Duration.ofMinutes(4));
        assertThat(told.isPooled(SamplePages.ID)).isTrue();
        assertThat(pages.isPooled(SamplePages.ID))
                .as("to others the TTL counts")
                .isFalse();
        other.put(page(2, 12), WriteCondition.ifVersion(first.version()));
        assertThat(told.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(1);
        assertThat(told.pooled(SamplePages.ID, told.nanoTime())).isNotNull();
        pages.pool().checkAgain(SamplePages.ID.tree(), pages.nanoTime());
        assertThat(told.pooled(SamplePages.ID, told.nanoTime())).isNull();
        assertThat(told.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(2);
    }

    /** Somebody may have repaired it by hand. */
    @Test
    void whoIsToldOfChangesAsksEveryFewMinutes() {
        PageManager told = pages.forNotifiedReaders();
        PageFrame first = other.put(page(1, 11), WriteCondition.IF_ABSENT);
        told.get(SamplePages.ID);
        other.put(page(2, 12), WriteCondition.ifVersion(first.version()));
        tasks.advance(Duration.ofMinutes(6));
        assertThat(told.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(2);
    }

    @Test
    void refreshSeesTheNewestAndADeletion() {
        PageFrame first = other.put(page(1, 11), WriteCondition.IF_ABSENT);
        pages.get(SamplePages.ID);
        other.put(page(2, 12), WriteCondition.ifVersion(first.version()));
        assertThat(pages.refresh(SamplePages.ID).orElseThrow().image().version())
                .isEqualTo(2);
        other.delete(SamplePages.ID);
        assertThat(pages.refresh(SamplePages.ID)).isEmpty();
        assertThat(pages.get(SamplePages.ID)).isEmpty();
        assertThat(other.get(SamplePages.ID)).isEmpty();
    }

    @Test
    void aPutIsPooled() {
        pages.put(page(1, 11), WriteCondition.IF_ABSENT);
        assertThat(pages.get(SamplePages.ID)).isPresent();
        assertThat(store.count(Call.GET)).isZero();
    }

    @Test
    void aLostAnswerIsResolved() {
        lose(true, store);
        PageFrame written = pages.put(page(1, 11), WriteCondition.IF_ABSENT);
        assertThat(written.image().header().writeId()).isEqualTo(11);
        lose(false, store);
        assertThatThrownBy(() -> pages.put(page(2, 12), WriteCondition.ifVersion(written.version())))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("found=1");
    }

    @Test
    void aRefusedRepeatOfAnOwnWriteIsASuccess() {
        PageImage mine = page(1, 11);
        other.put(mine, WriteCondition.IF_ABSENT);
        assertThat(pages.put(mine, WriteCondition.IF_ABSENT).image().version()).isEqualTo(1);
    }

    @Test
    void aConflictPoolsTheWinner() {
        other.put(page(4, 44), WriteCondition.IF_ABSENT);
        assertThatThrownBy(() -> pages.put(page(1, 11), WriteCondition.IF_ABSENT))
                .isInstanceOf(ConflictException.class);
        int gets = store.count(Call.GET);
        assertThat(pages.get(SamplePages.ID).orElseThrow().image().version()).isEqualTo(4);
        assertThat(store.count(Call.GET)).isEqualTo(gets);
    }

    @Test
    void whatCannotBeReadStaysUnknown() {
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                if (call == Call.PUT) {
                    throw new ConflictException("refused, perhaps as a repeat");
                }
                throw new UnavailableException("down");
            }
        });
        assertThatThrownBy(() -> pages.put(page(1, 11), WriteCondition.IF_ABSENT))
                .isInstanceOf(OutcomeUnknownException.class);
        lose(false, store);
        assertThatThrownBy(() -> pages.put(page(1, 11), WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void foreignBytesAreCorruptData() {
        store.put(pages.objectKey(SamplePages.ID), Bytes.utf8("not a page"), WriteCondition.ALWAYS);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> pages.get(SamplePages.ID))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(pages.objectKey(SamplePages.ID));
        }
    }

    @Test
    void missesAtOnceShareOneRead() throws InterruptedException {
        ThreadTasks threads = new ThreadTasks();
        PageManager shared = new PageManager(store, new BufferPool(64 << 20, Duration.ofSeconds(30)), threads, "shop/");
        other.put(page(1, 11), WriteCondition.IF_ABSENT);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                entered.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        List<Task<Optional<PageFrame>>> readers = new ArrayList<>();
        readers.add(threads.fork("first", () -> shared.get(SamplePages.ID)));
        entered.await();
        for (int i = 0; i < 20; i++) {
            readers.add(threads.fork("later", () -> shared.get(SamplePages.ID)));
        }
        release.countDown();
        readers.forEach(reader -> assertThat(reader.join()).isPresent());
        assertThat(store.count(Call.GET)).isEqualTo(1);
    }
}
