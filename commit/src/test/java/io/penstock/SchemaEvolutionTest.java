package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Classes that change while records stay: what {@code docs/API.md} says under "Payloads that change". */
class SchemaEvolutionTest {
    private record V1(String title, int stock) {}

    private record WithMore(String title, int stock, String author, int pages) {}

    private record WithLess(String title) {}

    private record Renamed(@JsonAlias("title") String name, int stock) {}

    private record OtherType(String title, List<String> stock) {}

    /** What it does not know it keeps. */
    private static final class Keeping {
        public String title = "";
        private final Map<String, Object> others = new HashMap<>();

        @JsonAnySetter
        void keep(String name, Object value) {
            others.put(name, value);
        }

        @JsonAnyGetter
        Map<String, Object> others() {
            return others;
        }
    }

    private static final Bytes OLD = Json.of(V1.class).encode(new V1("Tao", 3));
    private static final Bytes NEW = Json.of(WithMore.class).encode(new WithMore("Tao", 3, "Lao", 81));

    @Test
    void aFieldThatIsAddedIsNullOrZeroInOldRecords() {
        assertThat(Json.of(WithMore.class).decode(OLD)).isEqualTo(new WithMore("Tao", 3, null, 0));
    }

    /** An older program beside a newer one, too. */
    @Test
    void aFieldThatIsRemovedIsLeftOut() {
        assertThat(Json.of(WithLess.class).decode(OLD)).isEqualTo(new WithLess("Tao"));
        assertThat(Json.of(V1.class).decode(NEW)).isEqualTo(new V1("Tao", 3));
    }

    @Test
    void aFieldThatIsRenamedHasAnAlias() {
        assertThat(Json.of(Renamed.class).decode(OLD)).isEqualTo(new Renamed("Tao", 3));
    }

    @Test
    void anOlderProgramThatWritesBackLosesWhatItDoesNotKnow() {
        Bytes written = Json.of(V1.class).encode(Json.of(V1.class).decode(NEW));
        assertThat(Json.of(WithMore.class).decode(written)).isEqualTo(new WithMore("Tao", 3, null, 0));
    }

    @Test
    void unlessItKeepsIt() {
        Bytes written = Json.of(Keeping.class).encode(Json.of(Keeping.class).decode(NEW));
        assertThat(Json.of(WithMore.class).decode(written)).isEqualTo(new WithMore("Tao", 3, "Lao", 81));
    }

    @Test
    void aFieldOfAnotherTypeIsDamage() {
        assertThatThrownBy(() -> Json.of(OtherType.class).decode(OLD))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("OtherType");
    }

    @Test
    void cborIsAMapperToo() {
        Json<V1> cbor = Json.of(V1.class, new CBORMapper());
        V1 book = new V1("Tao", 3);
        assertThat(cbor.decode(cbor.encode(book))).isEqualTo(book);
        assertThat(cbor.encode(book).length()).isLessThan(OLD.length());
    }

    @Test
    void genericTypesHaveAReference() {
        Json<List<V1>> lists = Json.of(new TypeReference<List<V1>>() {});
        List<V1> two = List.of(new V1("a", 1), new V1("b", 2));
        assertThat(lists.decode(lists.encode(two))).isEqualTo(two);
    }
}
