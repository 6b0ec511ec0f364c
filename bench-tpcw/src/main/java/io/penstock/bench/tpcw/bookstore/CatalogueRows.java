package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** COUNTRY, AUTHOR and ITEM by clause 4.7.1. */
final class CatalogueRows {
    static final List<String> SUBJECTS = List.of(
            "ARTS",
            "BIOGRAPHIES",
            "BUSINESS",
            "CHILDREN",
            "COMPUTERS",
            "COOKING",
            "HEALTH",
            "HISTORY",
            "HOME",
            "HUMOR",
            "LITERATURE",
            "MYSTERY",
            "NON-FICTION",
            "PARENTING",
            "POLITICS",
            "REFERENCE",
            "RELIGION",
            "ROMANCE",
            "SELF-HELP",
            "SCIENCE-NATURE",
            "SCIENCE-FICTION",
            "SPORTS",
            "YOUTH",
            "TRAVEL");

    static final List<String> BACKINGS = List.of("HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION");

    private static final int RELATED = 5;

    /** The number of syllables of a search string (clause 4.6.2.8). */
    private static final int NAME_DIGITS = 7;

    private static final int NAME_LETTERS = 2 * NAME_DIGITS;
    private static final LocalDate AUTHORS_FROM = LocalDate.of(1800, 1, 1);
    private static final LocalDate AUTHORS_TO = LocalDate.of(1990, 1, 1);
    private static final LocalDate BOOKS_FROM = LocalDate.of(1930, 1, 1);

    private final long seed;
    private final Scale scale;

    CatalogueRows(long seed, Scale scale) {
        this.seed = seed;
        this.scale = scale;
    }

    /** Returns an author. Last names begin with one of items / 10 syllable names: a search finds two or three. */
    Author author(long id) {
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

    /** The title begins with one of items / 5 syllable names, so that a search by title finds five. */
    Item item(long id) {
        Draws draws = Draws.of(seed, "item", id);
        String syllables = Draws.digSyl(1 + (id - 1) % (scale.items() / 5), NAME_DIGITS);
        LocalDate published = draws.date(BOOKS_FROM, Population.TODAY);
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
        List<Long> others = new ArrayList<>(RELATED);
        while (others.size() < RELATED) {
            long other = draws.between(1, scale.items());
            if (other != id && !others.contains(other)) {
                others.add(other);
            }
        }
        return List.copyOf(others);
    }

    /** Draws a dimension from 0.01 to 99.99. */
    private static String dimension(Draws draws) {
        int hundredths = draws.between(1, 9_999);
        return hundredths / 100 + "." + hundredths % 100 / 10 + hundredths % 10;
    }
}
