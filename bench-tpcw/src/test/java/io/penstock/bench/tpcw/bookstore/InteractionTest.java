package io.penstock.bench.tpcw.bookstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.KeySpan;
import io.penstock.Penstock;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.bench.tpcw.run.Machine;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.testkit.Profile;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InteractionTest {
    private static final Population POPULATION = new Population(1, new Scale(1, 200));
    private static final BuyConfirm.Card CARD =
            new BuyConfirm.Card("VISA", "4111111111111111", "Ada", LocalDate.of(2030, 1, 1));

    /** Runs {@code body} in a session of a small shop at ATOMIC, the default of a shop. */
    private static void inShop(BiConsumer<ShopServer, Session> body) {
        new SimulatedVenue(Profile.INSTANT, 1).visit("shop", site -> {
            Machine machine = site.machine(Machine.MAIN);
            Settings settings = machine.settings().level(ConsistencyLevel.ATOMIC);
            try (Penstock store = Penstock.open(settings)) {
                new Loader(store, Storefront.open(store).tables(), rows -> {}).loadInBulk(POPULATION);
                ShopServer server = new ShopServer(store, machine.tasks());
                try (Session session = server.newSession()) {
                    body.accept(server, session);
                }
            }
            return true;
        });
    }

    private static Cart cartWith(ShopServer server, Session session, long item) {
        return server.serve(session, new ShoppingCart(null, item, Map.of(), 1)).cart();
    }

    private static BuyConfirm buy(long cart, long customer) {
        return new BuyConfirm(cart, customer, CARD, "AIR", "please", null);
    }

    @Test
    void whatIsBoughtIsTheLastOrderAndLowersTheStock() {
        inShop((server, session) -> {
            Cart cart = cartWith(server, session, 7);
            cart = server.serve(session, new ShoppingCart(cart.id(), null, Map.of(7L, 3), 1))
                    .cart();
            BuyRequest.Shown request =
                    server.serve(session, new BuyRequest(cart.id(), new BuyRequest.Returning("OG", "og")));
            BuyConfirm.Shown bought =
                    server.serve(session, buy(cart.id(), request.customer().id()));
            OrderDisplay.Last last =
                    server.serve(session, new OrderDisplay("OG", "og")).last();
            assertThat(last).isNotNull();
            assertThat(last.order()).isEqualTo(bought.purchase().order());
            assertThat(last.lines()).isEqualTo(bought.purchase().lines()).hasSize(1);
            assertThat(last.payment()).isNotNull();
            Item before = POPULATION.item(7);
            Item after = server.serve(session, new ProductDetail(7)).item();
            assertThat(after.stock()).isEqualTo(before.sold(3, 0).stock());
            long emptied = cart.id();
            assertThatThrownBy(() -> server.serve(session, buy(emptied, 1))).isInstanceOf(ShopException.class);
        });
    }

    @Test
    void newProductsAreTheNewestOfTheirSubject() {
        inShop((server, session) -> {
            String subject = POPULATION.item(1).subject();
            List<Long> expected = LongStream.rangeClosed(1, 200)
                    .mapToObj(POPULATION::item)
                    .filter(item -> item.subject().equals(subject))
                    .sorted(Comparator.comparing(Item::published).reversed().thenComparing(Item::id))
                    .map(Item::id)
                    .toList();
            assertThat(server.serve(session, new NewProducts(subject)).rows().stream()
                            .map(Visit.Row::itemId))
                    .containsExactlyElementsOf(expected);
        });
    }

    @Test
    void searchesFindByTitleAuthorAndSubject() {
        inShop((server, session) -> {
            Item item = POPULATION.item(11);
            String author = POPULATION.author(item.authorId()).lastName();
            for (SearchResults search : List.of(
                    new SearchResults(SearchResults.By.TITLE, item.title().substring(0, 14)),
                    new SearchResults(SearchResults.By.AUTHOR, author.substring(0, 14)),
                    new SearchResults(SearchResults.By.SUBJECT, item.subject()))) {
                assertThat(server.serve(session, search).rows().stream().map(Visit.Row::itemId))
                        .as("%s", search)
                        .contains(11L);
            }
        });
    }

    @Test
    void anAdministratorChangesAnItemAndItsLists() {
        inShop((server, session) -> {
            server.serve(session, new AdminConfirm(5, 4_242, "a.gif", "b.gif"));
            Item changed = server.serve(session, new ProductDetail(5)).item();
            assertThat(changed.costCents()).isEqualTo(4_242);
            assertThat(changed.related()).hasSize(5).doesNotHaveDuplicates().doesNotContain(5L);
            assertThat(server.serve(session, new NewProducts(changed.subject()))
                            .rows()
                            .getFirst()
                            .itemId())
                    .isEqualTo(5);
        });
    }

    @Test
    void bestSellersAreSortedByCopiesSold() {
        inShop((server, session) -> {
            Map<Long, Long> sold =
                    RecentOrders.read(server.shop().tables(), 3_333).sold();
            List<Long> copies = server
                    .serve(session, new BestSellers(POPULATION.item(1).subject()))
                    .rows()
                    .stream()
                    .map(row -> sold.getOrDefault(row.itemId(), 0L))
                    .toList();
            assertThat(copies).isNotEmpty().isSortedAccordingTo(Comparator.reverseOrder());
        });
    }

    static Stream<Interaction<?>> wrongOnes() {
        return Stream.of(
                new ProductDetail(0),
                new ProductDetail(-1),
                new ProductDetail(1_000_000_000),
                new Home(null, 201),
                new NewProducts("<script>"),
                new BestSellers(""),
                new SearchResults(SearchResults.By.TITLE, "x".repeat(1 << 20)),
                new SearchResults(SearchResults.By.AUTHOR, " "),
                cartOf(7, -1),
                cartOf(7, 1_000_000_000),
                cartOf(999, 1),
                new BuyRequest(42, new BuyRequest.Returning("OG", "og")),
                buy(42, 1),
                new OrderDisplay("OG", "wrong"),
                new OrderDisplay("nobody", "og"),
                new AdminRequest(0),
                new AdminConfirm(1, 0, "", ""),
                new AdminConfirm(999, 1, "", ""));
    }

    private static ShoppingCart cartOf(long item, int quantity) {
        return new ShoppingCart(42L, null, Map.of(item, quantity), 1);
    }

    @ParameterizedTest
    @MethodSource("wrongOnes")
    void whatIsWrongIsRefusedAndNothingIsStored(Interaction<?> wrong) {
        inShop((server, session) -> {
            assertThatThrownBy(() -> server.serve(session, wrong)).isInstanceOf(ShopException.class);
            try (Scan<?> carts = server.shop().carts().scan(KeySpan.all())) {
                assertThat(carts.hasNext()).isFalse();
            }
        });
    }
}
