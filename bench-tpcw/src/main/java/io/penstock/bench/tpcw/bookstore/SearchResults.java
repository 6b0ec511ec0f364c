package io.penstock.bench.tpcw.bookstore;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The first 50 items that a search finds. By subject or title it scans one index and reads the authors; by author it
 * scans the index of authors, then for each of them the index of items by author.
 *
 * @param text a subject, or how a title or a last name begins
 */
public record SearchResults(By by, String text) implements Interaction<Visit.Listed> {
    private static final int LISTED = 50;

    /** The longest text that is searched for: no title is longer. */
    private static final int TEXT_MAX = 60;

    /** The field that is searched. */
    public enum By {
        AUTHOR,
        TITLE,
        SUBJECT
    }

    @Override
    public Visit.Listed run(Visit visit) {
        if (text.isBlank() || text.length() > TEXT_MAX) {
            throw new ShopException("Give 1 to " + TEXT_MAX + " characters to search for.");
        }
        return switch (by) {
            case AUTHOR -> byAuthor(visit);
            case TITLE ->
                visit.rows(visit.tx()
                        .scan(
                                visit.shop().itemsByTitle(),
                                KeySpan.startingWith(text).limit(LISTED)));
            case SUBJECT -> new NewProducts(text.toUpperCase(Locale.ROOT)).run(visit);
        };
    }

    private Visit.Listed byAuthor(Visit visit) {
        List<Entry<Long, Storefront.Listing>> found = new ArrayList<>();
        try (Scan<Entry<Long, Author>> authors = visit.tx()
                .scan(visit.shop().authorsByName(), KeySpan.startingWith(text).limit(LISTED))) {
            while (authors.hasNext() && found.size() < LISTED) {
                long author = authors.next().key();
                try (Scan<Entry<Long, Storefront.Listing>> items = visit.tx()
                        .scan(
                                visit.shop().itemsByAuthor(),
                                KeySpan.between(author, author + 1).limit(LISTED - found.size()))) {
                    items.forEachRemaining(found::add);
                }
            }
        }
        return visit.withAuthors(found);
    }
}
