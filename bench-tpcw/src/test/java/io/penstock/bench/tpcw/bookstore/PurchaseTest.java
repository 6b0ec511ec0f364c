package io.penstock.bench.tpcw.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PurchaseTest {
    private final Population population = new Population(1, new Scale(1, 100));

    private Purchase buy(PurchasePlan plan) {
        List<Item> found = plan.itemIds().stream().map(population::item).toList();
        return Purchase.compose(population.customer(plan.customerId()), found, plan);
    }

    @Test
    void itIsSixSearchedThreeOrderedSevenLogRecords() {
        PurchasePlan plan = PurchasePlan.draw(population, 0, 1, 0);
        assertThat(plan.itemIds()).hasSize(6).doesNotHaveDuplicates();
        Purchase purchase = buy(plan);
        assertThat(purchase.stock()).hasSize(3);
        assertThat(purchase.lines()).hasSize(3);
        assertThat(purchase.stock().size() + purchase.lines().size() + 1).isEqualTo(Purchase.LOG_RECORDS);
        assertThat(purchase.order().id()).isEqualTo(plan.orderId()).isEqualTo(2_593);
        assertThat(purchase.stock()).allMatch(change -> change.previousOrder() == 0 && change.order() == 2_593);
    }

    @Test
    void orderIdsNeverClashAmongClients() {
        Set<Long> ids = new HashSet<>();
        for (int client = 0; client < 5; client++) {
            for (long number = 0; number < 50; number++) {
                ids.add(PurchasePlan.draw(population, client, 5, number).orderId());
            }
        }
        assertThat(ids).hasSize(250).allMatch(id -> id > population.scale().orders());
    }

    @Test
    void stockFallsAndIsFilledUpBelowTen() {
        Item item = population.item(1);
        Item full = item.sold(item.stock() - 12, 1);
        assertThat(full.stock()).isEqualTo(12);
        assertThat(full.sold(2, 2).stock()).isEqualTo(10);
        assertThat(full.sold(3, 3).stock()).isEqualTo(30);
        assertThat(full.sold(3, 3).stockOrder()).isEqualTo(3);
    }

    @Test
    void thePriceIsCostTimesQuantityLessTheDiscount() {
        PurchasePlan plan = PurchasePlan.draw(population, 0, 1, 7);
        Purchase purchase = buy(plan);
        long gross = 0;
        for (int i = 0; i < 3; i++) {
            gross += population.item(plan.itemIds().get(i)).costCents()
                    * plan.quantities().get(i);
        }
        int discount = population.customer(plan.customerId()).discountPercent();
        assertThat(purchase.order().subTotalCents()).isEqualTo(gross * (100 - discount) / 100);
        assertThat(Order.taxCents(10_000)).isEqualTo(825);
        assertThat(Order.totalCents(10_000, 3)).isEqualTo(11_425);
    }
}
