package io.penstock.bench.tpcw.bookstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PopulationTest {
    private static final Scale SCALE = new Scale(1, 1_000);

    private final Population population = new Population(1, SCALE);

    @Test
    void tablesScaleByClause43() {
        Scale scale = new Scale(10, 10_000);
        assertThat(scale.customers()).isEqualTo(28_800);
        assertThat(scale.addresses()).isEqualTo(57_600);
        assertThat(scale.orders()).isEqualTo(25_920);
        assertThat(scale.authors()).isEqualTo(2_500);
        assertThat(population.orderLineRows()).isBetween(7_500L, 8_100L);
        assertThatThrownBy(() -> new Scale(0, 1_000)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> new Scale(1, 19)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aPopulationIsAFunctionOfItsSeed() {
        Population same = new Population(1, SCALE);
        Population other = new Population(2, SCALE);
        assertThat(population.item(17)).isEqualTo(same.item(17)).isNotEqualTo(other.item(17));
        assertThat(population.customer(17)).isEqualTo(same.customer(17)).isNotEqualTo(other.customer(17));
        assertThat(population.orderLines(17)).isEqualTo(same.orderLines(17));
        assertThat(population.cardPayment(17)).isEqualTo(same.cardPayment(17));
        assertThat(population.address(17)).isEqualTo(same.address(17));
        assertThat(population.author(17)).isEqualTo(same.author(17));
    }

    @Test
    void itemsAreAsClause471HasThem() {
        Set<String> subjects = new HashSet<>();
        Set<String> backings = new HashSet<>();
        Set<Integer> stocks = new HashSet<>();
        for (Item item :
                LongStream.rangeClosed(1, 1_000).mapToObj(population::item).toList()) {
            assertThat(item.title()).hasSizeBetween(14, 60);
            assertThat(item.authorId()).isBetween(1L, SCALE.authors());
            assertThat(item.published()).isBetween(LocalDate.of(1930, 1, 1), Population.TODAY);
            assertThat(item.available())
                    .isBetween(item.published().plusDays(1), item.published().plusDays(30));
            assertThat(item.description()).hasSizeBetween(100, 500);
            assertThat(item.related()).hasSize(5).doesNotHaveDuplicates().doesNotContain(item.id());
            assertThat(item.related()).allMatch(other -> 1 <= other && other <= 1_000);
            assertThat(item.retailCents()).isBetween(100L, 999_999L);
            assertThat(item.costCents()).isBetween(item.retailCents() / 2, item.retailCents());
            assertThat(item.stock()).isBetween(10, 30);
            assertThat(item.isbn()).hasSize(13);
            assertThat(item.pages()).isBetween(20, 9_999);
            assertThat(item.dimensions()).matches("\\d{1,2}\\.\\d\\dx\\d{1,2}\\.\\d\\dx\\d{1,2}\\.\\d\\d");
            assertThat(item.stockOrder()).isZero();
            subjects.add(item.subject());
            backings.add(item.backing());
            stocks.add(item.stock());
        }
        assertThat(subjects).hasSize(24);
        assertThat(backings).hasSize(5);
        assertThat(stocks).hasSize(21);
    }

    @Test
    void everyAuthorHasABookAndSearchesFindSome() {
        Set<Long> authors = new HashSet<>();
        Map<String, Integer> titles = new HashMap<>();
        for (long id = 1; id <= 1_000; id++) {
            authors.add(population.item(id).authorId());
            titles.merge(population.item(id).title().substring(0, 14), 1, Integer::sum);
        }
        assertThat(authors).hasSize((int) SCALE.authors());
        assertThat(titles).hasSize(200).containsEntry(Draws.digSyl(42, 7), 5);
        assertThat(population.author(101).lastName()).startsWith(Draws.digSyl(1, 7));
    }

    @Test
    void customersAreAsClause471HasThem() {
        Set<String> names = new HashSet<>();
        for (Customer customer :
                LongStream.rangeClosed(1, 2_880).mapToObj(population::customer).toList()) {
            names.add(customer.userName());
            assertThat(customer.userName()).isEqualTo(Draws.digSyl(customer.id(), 0));
            assertThat(customer.password()).isEqualToIgnoringCase(customer.userName());
            assertThat(customer.addressId()).isBetween(1L, SCALE.addresses());
            assertThat(customer.phone()).matches("\\d{9,16}");
            assertThat(customer.since()).isBetween(Population.TODAY.minusDays(730), Population.TODAY.minusDays(1));
            assertThat(customer.lastLogin()).isBetween(customer.since(), Population.TODAY);
            assertThat(customer.discountPercent()).isBetween(0, 50);
            assertThat(customer.data()).hasSizeBetween(100, 500);
        }
        assertThat(names).hasSize(2_880);
    }

    @Test
    void ordersAreAsClause471HasThem() {
        int[] lines = new int[6];
        for (long id = 1; id <= SCALE.orders(); id++) {
            Order order = population.order(id);
            List<OrderLine> rows = population.orderLines(id);
            lines[rows.size()]++;
            assertThat(order.customerId()).isBetween(1L, SCALE.customers());
            assertThat(order.totalCents())
                    .isEqualTo(order.subTotalCents() + order.taxCents() + 300 + 100L * rows.size());
            assertThat(order.shipDate()).isBetween(order.date(), order.date().plusDays(7));
            assertThat(rows).allMatch(row -> row.quantity() >= 1 && row.quantity() <= 300);
            assertThat(population.cardPayment(id).amountCents()).isEqualTo(order.totalCents());
        }
        for (int count = 1; count <= 5; count++) {
            assertThat(lines[count]).as("orders of %d lines", count).isBetween(430, 610);
        }
    }

    @Test
    void thereAre92Countries() {
        assertThat(Population.COUNTRIES).hasSize(Scale.COUNTRIES);
        assertThat(population.country(1)).isEqualTo(new Country(1, "United States", "1", "Dollars"));
        assertThat(population.country(92)).isEqualTo(new Country(92, "Zambia", "2447.7", "Kwacha"));
    }
}
