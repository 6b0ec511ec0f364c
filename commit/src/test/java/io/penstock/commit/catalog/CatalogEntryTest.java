package io.penstock.commit.catalog;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A definition that was changed on its way is never taken for another definition. */
class CatalogEntryTest {
    private static final CollectionDefinition WORDS = Declaration.definition(
            "words",
            new TreeId(0x1122334455667788L),
            "string",
            1024,
            List.of(new IndexDefinition("by-length", "00000000000000a9", "long")));

    private static CollectionDefinition decode(Bytes entry) {
        return CatalogEntry.decode("words", entry, "catalog/words.json", new ObjectVersion("1"));
    }

    private static void assertNeverAnother(byte[] damaged) {
        try {
            assertThat(decode(Bytes.wrap(damaged))).as(new String(damaged)).isEqualTo(WORDS);
        } catch (CorruptDataException expected) {
            assertThat(expected).hasMessageContaining("catalog/words.json");
        }
    }

    @Test
    void anEntryReadsAsWhatWasWritten() {
        assertThat(decode(CatalogEntry.encode(WORDS))).isEqualTo(WORDS);
    }

    @Test
    void noBitCanBeTurned() {
        byte[] entry = CatalogEntry.encode(WORDS).toArray();
        for (int bit = 0; bit < entry.length * Byte.SIZE; bit++) {
            byte[] damaged = entry.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThatThrownBy(() -> decode(Bytes.wrap(damaged)))
                    .as("bit " + bit)
                    .isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void cutOrLongerItIsNeverAnother() {
        byte[] entry = CatalogEntry.encode(WORDS).toArray();
        for (int length = 0; length < entry.length; length++) {
            assertNeverAnother(Arrays.copyOf(entry, length));
        }
        assertThatThrownBy(() -> decode(Bytes.wrap(Arrays.copyOf(entry, entry.length + 16))))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void anotherFormatSaysWhatToDo() {
        byte[] json = "{\"format\":2,\"name\":\"words\",\"other\":7}".getBytes(StandardCharsets.UTF_8);
        CRC32C sum = new CRC32C();
        sum.update(json);
        String entry = new String(json, StandardCharsets.UTF_8) + "\ncrc32c %08x\n".formatted(sum.getValue());
        assertThatThrownBy(() -> decode(Bytes.utf8(entry)))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OTHER_RELEASE));
    }
}
