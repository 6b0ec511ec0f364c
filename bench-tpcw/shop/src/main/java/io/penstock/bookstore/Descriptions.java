package io.penstock.bookstore;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Review;
import org.springframework.stereotype.Service;

/**
 * Descriptions of books that readers have written and the curator has approved. They are apart from the items, since an
 * item changes with each order, and what changed since a proposal was made is not overwritten. Safe for use by many
 * threads.
 */
@Service
class Descriptions {
    private final RecordCollection<Long, String> texts;

    Descriptions(Penstock store) {
        this.texts = store.collection("descriptions", Keys.longs(), Json.of(String.class))
                .inDomain(RecordCollection.MAIN_DOMAIN);
    }

    /** The approved description of a book, or the other one where there is none. */
    String of(long book, String other) {
        return texts.get(book).orElse(other);
    }

    Review<Long, String> review() {
        return Review.of(texts);
    }
}
