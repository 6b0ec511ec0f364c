package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A mapper of Jackson 3, which Boot 4 brings along, as a codec of payloads: as docs/FAQ.md has it. */
class Jackson3Test {
    /** The codec. */
    record Json3<V>(Class<V> type, JsonMapper mapper) implements PayloadCodec<V> {
        @Override
        public Bytes encode(V value) {
            return Bytes.wrap(mapper.writeValueAsBytes(value));
        }

        @Override
        public V decode(Bytes bytes) {
            try {
                return mapper.readValue(bytes.toArray(), type);
            } catch (JacksonException wrong) {
                throw new CorruptDataException("no json of the expected type", wrong);
            }
        }
    }

    @Test
    void itsRecordsAreThoseOfJson() {
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            RecordCollection<String, Customer> theirs =
                    store.collection(Customer.class, new Json3<>(Customer.class, new JsonMapper()));
            RecordCollection<String, Customer> ours = store.collection(Customer.class, Json.of(Customer.class));
            Customer put = theirs.put(Customer.of(1));
            assertThat(put.version()).isEqualTo(1);
            assertThat(ours.get("c001")).contains(put);
            Customer changed = ours.put(put.with(9));
            assertThat(theirs.get("c001")).contains(changed);
            try (Scan<Entry<String, Customer>> found =
                    theirs.<String>index("email").scan("1@example.org")) {
                assertThat(found.next().value()).isEqualTo(changed);
            }
            assertThatThrownBy(() -> new Json3<>(List.class, new JsonMapper()).decode(Bytes.utf8("{")))
                    .isInstanceOf(CorruptDataException.class);
        }
    }
}
