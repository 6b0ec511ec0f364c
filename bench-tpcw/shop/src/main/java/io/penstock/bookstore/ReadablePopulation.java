package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.Author;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import java.util.List;

/**
 * The population of TPC-W with titles, names and prices that people can read: the standard draws letters. Safe for
 * use by many threads.
 */
final class ReadablePopulation extends Population {
    private static final List<String> FORMS = List.of(
            "The %s %s",
            "The %s %s",
            "A %s %s",
            "Letters from the %s %s",
            "Return to the %s %s",
            "How to Build a %s %s",
            "Notes on a %s %s",
            "Beyond the %s %s");

    private static final List<String> KINDS =
            words("Quiet Crooked Hidden Winter Borrowed Paper Northern Glass Patient Salt Distant Copper Slow "
                    + "Painted Last Second Blue Stone Silver Restless");

    private static final List<String> THINGS =
            words("Harbour Orchard Ledger Lighthouse River Machine Garden Compass Kitchen Library Meadow Bridge "
                    + "Letter Tide Workshop Island Archive Clock Sparrow Railway Shore Weir Mountain Lantern");

    private static final List<String> FIRST_NAMES =
            words("Ada Bela Clara David Elif Farid Greta Hugo Ines Jonas Kira Luis Mina Noor Otto Pia Rosa Sami "
                    + "Tove Yuki");

    private static final List<String> LAST_NAMES =
            words("Adler Brandt Castillo Dahl Eriksen Fischer Garner Holm Ivanov Jansen Keller Lindqvist Moreau "
                    + "Novak Okafor Petit Quist Rossi Sato Weber");

    private static final List<String> BLURBS = List.of(
            "An old promise, a new map, and a town that would rather forget both.",
            "It begins with a box that nobody has opened in forty years.",
            "Clear, patient and full of small surprises.",
            "Three generations, one house, and the water that runs below it.",
            "A book to read slowly, and then to lend to a friend.",
            "With drawings by the author, and a chapter on what went wrong.",
            "Everybody in the valley knows the story; nobody tells it the same way.");

    private static final long CENTS_MIN = 599;
    private static final long CENTS_MAX = 4_999;

    private final long seed;

    ReadablePopulation(long seed, Scale scale) {
        super(seed, scale);
        this.seed = seed;
    }

    private static List<String> words(String text) {
        return List.of(text.split(" "));
    }

    @Override
    public Author author(long id) {
        Draws draws = Draws.of(seed, "readable author", id);
        Author author = super.author(id);
        return new Author(
                id,
                draws.pick(FIRST_NAMES),
                draws.pick(LAST_NAMES),
                author.middleName(),
                author.dateOfBirth(),
                author.biography());
    }

    @Override
    public Item item(long id) {
        Draws draws = Draws.of(seed, "readable item", id);
        Item item = super.item(id);
        long retailCents = draws.between(CENTS_MIN, CENTS_MAX);
        return new Item(
                id,
                String.format(draws.pick(FORMS), draws.pick(KINDS), draws.pick(THINGS)),
                item.authorId(),
                item.published(),
                draws.pick(LAST_NAMES) + " & " + draws.pick(LAST_NAMES),
                item.subject(),
                draws.pick(BLURBS) + " " + draws.pick(BLURBS),
                item.related(),
                item.thumbnail(),
                item.image(),
                retailCents,
                retailCents * draws.between(50L, 100L) / 100,
                item.available(),
                item.stock(),
                "978" + draws.nString(10, 10),
                100 + item.pages() / 10,
                item.backing(),
                item.dimensions(),
                item.stockOrder());
    }
}
