package io.penstock.bench.tpcw.bookstore;

import io.penstock.bench.program.Resource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The rows a bookstore starts with, by clause 4.7.1: a pure function of a seed and a scale, each row on its own. Ids
 * begin at 1. Safe for use by many threads.
 */
public class Population {
    /** The day the population is made for: fixed, so that it does not depend on when that happens. */
    public static final LocalDate TODAY = LocalDate.of(2026, 1, 1);

    /** The subjects of items. */
    public static final List<String> SUBJECTS =
            List.of(("ARTS BIOGRAPHIES BUSINESS CHILDREN COMPUTERS COOKING HEALTH HISTORY HOME HUMOR LITERATURE MYSTERY"
                            + " NON-FICTION PARENTING POLITICS REFERENCE RELIGION ROMANCE SELF-HELP SCIENCE-NATURE"
                            + " SCIENCE-FICTION SPORTS YOUTH TRAVEL")
                    .split(" "));

    /** The ways an order travels. */
    public static final List<String> SHIP_TYPES = List.of("AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL");

    /** The kinds of credit cards. */
    public static final List<String> CARDS = List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");

    /** The 92 countries, from {@code countries.csv}: name, exchange rate, currency. */
    static final List<Country> COUNTRIES = countries();

    private static final List<String> BACKINGS = List.of("HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION");
    private static final List<String> STATUSES = List.of("PROCESSING", "SHIPPED", "PENDING", "DENIED");
    private static final int LINES_MAX = 5;
    private static final int RELATED = 5;
    private static final int LOGIN_HOURS = 2;

    /** The number of syllables of a search string (clause 4.6.2.8). */
    private static final int NAME_DIGITS = 7;

    private static final int NAME_LETTERS = 2 * NAME_DIGITS;
    private static final LocalDate AUTHORS_FROM = LocalDate.of(1800, 1, 1);
    private static final LocalDate AUTHORS_TO = LocalDate.of(1990, 1, 1);
    private static final LocalDate BOOKS_FROM = LocalDate.of(1930, 1, 1);
    private static final LocalDate BIRTHS_FROM = LocalDate.of(1880, 1, 1);

    private final long seed;
    private final Scale scale;

    public Population(long seed, Scale scale) {
        this.seed = seed;
        this.scale = scale;
    }

    private static List<Country> countries() {
        List<Country> countries = new ArrayList<>(Scale.COUNTRIES);
        for (String line :
                Resource.text(Population.class, "countries.csv").lines().toList()) {
            String[] columns = line.split(",", 3);
            countries.add(new Country(countries.size() + 1, columns[0], columns[1], columns[2]));
        }
        return List.copyOf(countries);
    }

    /** @throws ShopException for what is no subject */
    static void requireSubject(String subject) {
        if (!SUBJECTS.contains(subject)) {
            throw new ShopException("There is no such subject.");
        }
    }

    public long seed() {
        return seed;
    }

    public Scale scale() {
        return scale;
    }

    public Country country(long id) {
        return COUNTRIES.get((int) id - 1);
    }

    /** Returns an author. Last names begin with one of items / 10 syllable names: a search finds two or three. */
    public Author author(long id) {
        Draws draws = Draws.of(seed, "author", id);
        String syllables = Draws.digSyl(1 + (id - 1) % Math.max(1, scale.items() / 10), NAME_DIGITS);
        return new Author(
                id,
                draws.aString(3, 20),
                syllables + draws.aString(0, 20 - NAME_LETTERS),
                draws.aString(1, 20),
                draws.date(AUTHORS_FROM, AUTHORS_TO),
                draws.aString(125, 500));
    }

    /** Returns an item. The title begins with one of items / 5 syllable names: a search by title finds five. */
    public Item item(long id) {
        Draws draws = Draws.of(seed, "item", id);
        String syllables = Draws.digSyl(1 + (id - 1) % (scale.items() / 5), NAME_DIGITS);
        LocalDate published = draws.date(BOOKS_FROM, TODAY);
        long retailCents = draws.between(100L, 999_999L);
        return new Item(
                id,
                syllables + draws.aString(0, 60 - NAME_LETTERS),
                id <= scale.authors() ? id : draws.between(1, scale.authors()),
                published,
                draws.aString(14, 60),
                draws.pick(SUBJECTS),
                draws.aString(100, 500),
                related(id, draws),
                "img" + id % 100 + "/thumb_" + id + ".gif",
                "img" + id % 100 + "/image_" + id + ".gif",
                retailCents,
                retailCents * draws.between(50L, 100L) / 100,
                published.plusDays(draws.between(1, 30)),
                draws.between(10, 30),
                draws.aString(13, 13),
                draws.between(20, 9_999),
                draws.pick(BACKINGS),
                dimension(draws) + "x" + dimension(draws) + "x" + dimension(draws),
                Item.FROM_POPULATION);
    }

    private List<Long> related(long id, Draws draws) {
        return LongStream.generate(() -> draws.between(1, scale.items()))
                .filter(other -> other != id)
                .distinct()
                .limit(RELATED)
                .boxed()
                .toList();
    }

    /** Draws a dimension from 0.01 to 99.99. */
    private static String dimension(Draws draws) {
        int hundredths = draws.between(1, 9_999);
        return hundredths / 100 + "." + hundredths % 100 / 10 + hundredths % 10;
    }

    public Address address(long id) {
        Draws draws = Draws.of(seed, "address", id);
        return new Address(
                id,
                draws.aString(15, 40),
                draws.aString(15, 40),
                draws.aString(4, 30),
                draws.aString(2, 20),
                draws.aString(5, 10),
                draws.between(1, Scale.COUNTRIES));
    }

    public Customer customer(long id) {
        Draws draws = Draws.of(seed, "customer", id);
        String userName = Draws.digSyl(id, 0);
        LocalDate since = TODAY.minusDays(draws.between(1, 730));
        LocalDate lastLogin = since.plusDays(draws.between(0, 60));
        LocalDateTime login = TODAY.atStartOfDay();
        return new Customer(
                id,
                userName,
                userName.toLowerCase(Locale.ROOT),
                draws.aString(8, 15),
                draws.aString(8, 15),
                draws.between(1, scale.addresses()),
                draws.nString(9, 16),
                userName + "@" + draws.aString(2, 9) + ".com",
                since,
                lastLogin.isAfter(TODAY) ? TODAY : lastLogin,
                login,
                login.plusHours(LOGIN_HOURS),
                draws.between(0, 50),
                0,
                draws.between(0, 99_999),
                draws.date(BIRTHS_FROM, TODAY),
                draws.aString(100, 500));
    }

    public Order order(long id) {
        Draws draws = Draws.of(seed, "order", id);
        LocalDate date = TODAY.minusDays(draws.between(1, 60));
        long subTotalCents = draws.between(1_000L, 999_999L);
        return new Order(
                id,
                draws.between(1, scale.customers()),
                date,
                subTotalCents,
                Order.taxCents(subTotalCents),
                Order.totalCents(subTotalCents, lines(id)),
                draws.pick(SHIP_TYPES),
                date.plusDays(draws.between(0, 7)),
                draws.between(1, scale.addresses()),
                draws.between(1, scale.addresses()),
                draws.pick(STATUSES));
    }

    private int lines(long orderId) {
        return Draws.of(seed, "lines", orderId).between(1, LINES_MAX);
    }

    /** Returns the lines of an order, 1 to 5. */
    public List<OrderLine> orderLines(long orderId) {
        Draws draws = Draws.of(seed, "order line", orderId);
        int lines = lines(orderId);
        List<OrderLine> rows = new ArrayList<>(lines);
        for (int line = 1; line <= lines; line++) {
            rows.add(new OrderLine(
                    line,
                    orderId,
                    draws.between(1, scale.items()),
                    draws.between(1, 300),
                    draws.between(0, 3),
                    draws.aString(20, 100)));
        }
        return rows;
    }

    public CardPayment cardPayment(long orderId) {
        Draws draws = Draws.of(seed, "card payment", orderId);
        Order order = order(orderId);
        return new CardPayment(
                orderId,
                draws.pick(CARDS),
                draws.nString(16, 16),
                draws.aString(14, 30),
                TODAY.plusDays(draws.between(10, 730)),
                draws.aString(15, 15),
                order.totalCents(),
                order.shipDate(),
                draws.between(1, Scale.COUNTRIES));
    }

    /** The number of rows of ORDER_LINE: the only table whose size is drawn. */
    public long orderLineRows() {
        return LongStream.rangeClosed(1, scale.orders()).map(this::lines).sum();
    }

    /** All rows of all tables. */
    public long rows() {
        return Scale.COUNTRIES
                + scale.authors()
                + scale.items()
                + scale.addresses()
                + scale.customers()
                + 2 * scale.orders()
                + orderLineRows();
    }
}
