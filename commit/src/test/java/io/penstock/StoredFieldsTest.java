package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fields that are given by text read what {@link Json} writes. */
class StoredFieldsTest {
    private final Penstock store = Penstock.open(Settings.inMemory());

    private record Reading(
            @Nullable Double level,
            @Nullable Instant at,
            @Nullable LocalDate due,
            byte @Nullable [] seal,
            @Nullable BigDecimal price) {}

    @AfterEach
    void close() {
        store.close();
    }

    private List<@Nullable Object> values(String column) {
        RecordCollection<Bytes, Bytes> raw = store.rawCollection("readings");
        RecordCollection<Bytes, Bytes> stored = raw.declare(StoredFields.of(raw, List.of("readings(" + column + ")")));
        Field<?> field = stored.fields().get(column.substring(0, column.indexOf(' ')));
        List<@Nullable Object> values = new ArrayList<>();
        try (Rows rows = stored.query(Query.all().select(field))) {
            rows.forEachRemaining(row -> values.add(row.at(0)));
        }
        return values;
    }

    @Test
    void theyReadAllThatIsWrittenAsJson() {
        Instant at = Instant.parse("2026-01-01T00:00:00.5Z");
        Instant old = Instant.ofEpochSecond(-62_135_596_800L, 1);
        LocalDate due = LocalDate.of(2026, 1, 2);
        BigDecimal price = new BigDecimal("1.50");
        RecordCollection<Long, Reading> readings = store.collection("readings", Keys.longs(), Json.of(Reading.class));
        readings.put(1L, new Reading(1.5, at, due, new byte[] {1}, price));
        readings.put(2L, new Reading(Double.NaN, old, LocalDate.MIN, null, null));
        readings.put(3L, new Reading(Double.NEGATIVE_INFINITY, null, null, null, null));
        assertThat(values("level double")).containsExactly(1.5, Double.NaN, Double.NEGATIVE_INFINITY);
        assertThat(values("at instant")).containsExactly(at, old, null);
        assertThat(values("due date")).containsExactly(due, LocalDate.MIN, null);
        assertThat(values("seal bytes")).containsExactly(Bytes.wrap(new byte[] {1}), null, null);
        assertThat(values("price decimal")).containsExactly(price, null, null);
    }

    @Test
    void theyReadDatesAndInstantsThatAreText() {
        put("{'at': '2026-01-01T00:00:00.5Z', 'due': '2026-01-02'}");
        assertThat(values("at instant")).containsExactly(Instant.parse("2026-01-01T00:00:00.5Z"));
        assertThat(values("due date")).containsExactly(LocalDate.of(2026, 1, 2));
    }

    private void put(String json) {
        store.collection("readings", Keys.longs(), PayloadCodec.bytes()).put(1L, Bytes.utf8(json.replace('\'', '"')));
    }

    @Test
    void aValueOfAnotherTypeIsTold() {
        put("{'a': 'soon', 'b': '1', 'c': 2.5, 'd': true, 'e': '*', 'f': 1e400, 'g': [2026]}");
        for (String column : List.of(
                "a date", "a instant", "b int", "b double", "c long", "d string", "e bytes", "f double", "g date")) {
            assertThatThrownBy(() -> values(column))
                    .as(column)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("not of its field's type")
                    .hasMessageContaining("field=" + column.charAt(0))
                    .is(code(ErrorCode.CODEC_FAILURE));
        }
    }

    @Test
    void aPayloadThatIsNoJsonIsTold() {
        put("plain");
        assertThatThrownBy(() -> values("a int"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("no JSON");
    }

    /** Errors of the library in the function of a field are told as they are. */
    @Test
    void aFieldThatCannotReadItsRecordSaysWhy() {
        InvalidRequestException why = new InvalidRequestException(ErrorCode.CODEC_FAILURE, "it is from next year");
        var reason = Field.<Bytes, String>of("reason", io.penstock.query.FieldType.STRING, payload -> {
            throw why;
        });
        RecordCollection<Long, Bytes> readings =
                store.collection("readings", Keys.longs(), PayloadCodec.bytes()).declare(Fields.of(reason));
        put("{}");
        assertThatThrownBy(() -> readings.query(Query.all()).next()).isSameAs(why);
    }
}
