package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.annotation.Key;
import io.penstock.annotation.Version;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values beyond the range of their types, nulls and spent streams are told in one line, and nothing is written. */
class WrongValuesTest {
    private final Settings settings = Settings.inMemory();
    private final Penstock store = Penstock.open(settings);

    private record Page(
            @Key String path, String text, @Version int version) {}

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aCounterAtItsEndStaysAsItIs() {
        RecordCollection<String, Long> counts = store.collection("counts", Keys.string(), Json.of(Long.class));
        counts.put("k", Long.MAX_VALUE - 1);
        assertThat(RecordCollection.increment(counts, "k", 1)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> RecordCollection.increment(counts, "k", 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("range of a long");
        assertThat(counts.get("k")).hasValue(Long.MAX_VALUE);
        assertThat(RecordCollection.increment(counts, "k", Long.MIN_VALUE)).isEqualTo(-1);
        assertThatThrownBy(() -> RecordCollection.increment(counts, "k", Long.MIN_VALUE))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aDurationBelowAllMillisecondsIsOutOfRange() {
        assertThatThrownBy(() -> settings.staleness(Duration.ofSeconds(Long.MIN_VALUE)))
                .is(code(ErrorCode.INVALID_SETTING));
        assertThatThrownBy(() -> Settings.from(Map.of("in-memory", "true", "log-retention", "-99999999999999d")))
                .is(code(ErrorCode.INVALID_SETTING));
    }

    @Test
    void aVersionAtItsEndIsTold() {
        RecordCollection<String, Page> pages = store.collection(Page.class);
        // Writes values as they are.
        RecordCollection<String, Page> plain = store.collection(pages.name(), Keys.string(), Json.of(Page.class));
        plain.put("home", new Page("home", "a", Integer.MAX_VALUE));
        assertThatThrownBy(() -> pages.put(new Page("home", "b", Integer.MAX_VALUE)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("version");
        assertThat(pages.get("home")).hasValue(new Page("home", "a", Integer.MAX_VALUE));
    }

    @Test
    void nullsAreRefused() {
        RecordCollection<String, String> texts = store.collection("texts", Keys.string(), Json.of(String.class));
        assertThatThrownBy(() -> texts.update("k", before -> nothing())).is(code(ErrorCode.INVALID_ARGUMENT));
        assertThatThrownBy(() -> texts.putStream("k", nothing())).is(code(ErrorCode.INVALID_ARGUMENT));
        assertThatThrownBy(() -> store.transact("id", tx -> {
                    tx.put(texts, "k", "v");
                    return nothing();
                }))
                .is(code(ErrorCode.INVALID_ARGUMENT));
        assertThat(texts.get("k")).isEmpty();
    }

    @SuppressWarnings("NullAway") // programs without its checks may do this
    private static <T> T nothing() {
        return null;
    }

    /** A run after a conflict finds the stream at its end: that is not an empty payload. */
    @Test
    void aStreamIsReadByOneRunOfABody() {
        RecordCollection<String, Bytes> files = store.collection("files", Keys.string(), PayloadCodec.bytes());
        InputStream stream = new ByteArrayInputStream("text".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> inTwoRuns(files, stream))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("open it in the body");
        assertThat(files.get("k")).isEmpty();
        assertThat(inTwoRuns(files, new ByteArrayInputStream(new byte[0]))).isEqualTo(2);
        assertThat(files.get("k")).hasValue(Bytes.EMPTY);
    }

    /** The first run meets a conflict. */
    private int inTwoRuns(RecordCollection<String, Bytes> files, InputStream stream) {
        int[] runs = new int[1];
        return store.transact(tx -> {
            var unused = tx.get(files, "other");
            tx.putStream(files, "k", stream);
            if (runs[0]++ == 0) {
                try (Penstock rival = Penstock.open(settings)) {
                    rival.collection("files", Keys.string(), PayloadCodec.bytes())
                            .put("other", Bytes.utf8("x" + System.identityHashCode(stream)));
                }
            }
            return runs[0];
        });
    }

    @Test
    void aKeyBeyondAnIntIsNotAnInt() {
        KeyField<Integer> number = Field.key("number", FieldType.INT);
        RecordCollection<Long, String> texts =
                store.collection("numbers", Keys.longs(), Json.of(String.class)).declare(Fields.of(number));
        texts.put(1L << 40, "far");
        assertThatThrownBy(() -> texts.find(Condition.not(Condition.in(number, List.of(3)))).stream()
                        .toList())
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.CODEC_FAILURE));
    }

    /** Each part of a key is a field of its own, also where the library has no type for it. */
    @Test
    void storedFieldsHaveThePartsOfKeys() {
        UUID id = new UUID(1, 2);
        store.collection("orders", Keys.pair(Keys.string(), Keys.uuids()), Json.of(String.class))
                .put(new Keys.Pair<>("ada", id), "first");
        RecordCollection<Bytes, Bytes> raw = store.rawCollection("orders");
        raw.declare(StoredFields.of(raw, List.of()));
        try (Rows rows = raw.query(io.penstock.query.Query.all())) {
            assertThat(rows.next().values()).contains("ada", id.toString());
        }
        assertThat(Optional.of(raw.keyTypes())).hasValue(List.of("string", "uuid"));
    }
}
