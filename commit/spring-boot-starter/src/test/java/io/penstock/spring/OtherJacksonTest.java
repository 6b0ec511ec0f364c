package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Version;
import io.penstock.core.Bytes;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Values that a program writes by the Jackson of Boot 4, which is another one than that of the store. */
class OtherJacksonTest {
    record Book(
            @Key String isbn,
            @Indexed String author,
            Instant since,
            @Version long version) {}

    private record Jackson3<V>(Class<V> type, JsonMapper mapper) implements PayloadCodec<V> {
        @Override
        public Bytes encode(V value) {
            return Bytes.wrap(mapper.writeValueAsBytes(value));
        }

        @Override
        public V decode(Bytes bytes) {
            return mapper.readValue(bytes.toArray(), type);
        }
    }

    @Test
    void valuesOfAnnotatedClassesAreWrittenByIt() {
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            RecordCollection<String, Book> books = store.collection(
                    Book.class, new Jackson3<>(Book.class, JsonMapper.builder().build()));
            Book stored = books.put(new Book("1", "Knuth", Instant.EPOCH, 0));
            assertThat(stored.version()).isEqualTo(1);
            assertThat(books.get("1")).contains(stored);
            assertThat(books.index("author").scan("Knuth").stream().count()).isEqualTo(1);
        }
    }
}
