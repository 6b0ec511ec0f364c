package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Window;

/** The newest records of a user, page by page, by an index of two properties. */
class NewestOfAUserTest {
    private static final int ALL = 3700;
    private static final int USERS = 10;
    private static final int PAGE = 10;
    private static final UUID ADA = new UUID(1, 3);

    private static List<Purchase> all() {
        Random random = new Random(1);
        List<Purchase> all = new ArrayList<>();
        for (int i = 0; i < ALL; i++) {
            Instant at = i % 100 == 3 ? null : Instant.ofEpochSecond(random.nextInt(ALL));
            all.add(new Purchase(new UUID(random.nextLong(), i), new UUID(1, i % USERS), at));
        }
        return all;
    }

    private static void with(Consumer<Purchases> test) {
        Place.MEMORY.run(contexts -> contexts.run(context -> {
            Purchases purchases = context.getBean(Purchases.class);
            purchases.saveAll(all());
            var unused = context.getBean(Penstock.class).admin().checkpoint();
            test.accept(purchases);
        }));
    }

    private static List<UUID> newest() {
        return all().stream()
                .filter(each -> each.user().equals(ADA))
                .sorted(Comparator.comparing(Purchase::at, Comparator.nullsLast(Comparator.reverseOrder()))
                        .thenComparing(each -> each.id().toString()))
                .map(Purchase::id)
                .toList();
    }

    private static List<UUID> ids(Iterable<Purchase> found) {
        List<UUID> ids = new ArrayList<>();
        found.forEach(each -> ids.add(each.id()));
        return ids;
    }

    @Test
    void windowsAndSlicesHaveAllInOrder() {
        with(purchases -> {
            List<UUID> found = new ArrayList<>();
            ScrollPosition from = ScrollPosition.keyset();
            for (boolean more = true; more; ) {
                Window<Purchase> window = purchases.findByUserOrderByAtDesc(ADA, from, Limit.of(37));
                found.addAll(ids(window));
                more = window.hasNext();
                from = more ? window.positionAt(window.size() - 1) : from;
            }
            assertThat(found).isEqualTo(newest());
            found.clear();
            for (Pageable page = PageRequest.of(0, 50); page.isPaged(); ) {
                Slice<Purchase> slice = purchases.findByUserOrderByAtDesc(ADA, page);
                found.addAll(ids(slice));
                page = slice.nextPageable();
            }
            assertThat(found).isEqualTo(newest());
            assertThat(purchases.countByUser(ADA)).isEqualTo(newest().size());
        });
    }

    /** It read all of the collection, twice. */
    @Test
    void aPageReadsNoOthers() {
        with(purchases -> {
            long before = Purchase.MADE.get();
            Window<Purchase> first = purchases.findByUserOrderByAtDesc(ADA, ScrollPosition.keyset(), Limit.of(PAGE));
            assertThat(Purchase.MADE.get() - before).isLessThan(PAGE * 5);
            before = Purchase.MADE.get();
            Window<Purchase> second =
                    purchases.findByUserOrderByAtDesc(ADA, first.positionAt(PAGE - 1), Limit.of(PAGE));
            assertThat(second).hasSize(PAGE);
            assertThat(Purchase.MADE.get() - before).isLessThan(PAGE * 7);
        });
    }
}
