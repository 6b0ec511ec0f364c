package io.penstock.commit.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.object.ObjectVersion;
import java.io.IOException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The object that holds a collection's definition: its JSON, a line feed, and a line with the checksum of the JSON.
 */
public final class CatalogEntry {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectReader READER = MAPPER.readerFor(CollectionDefinition.class);
    private static final ObjectWriter WRITER =
            MAPPER.writerFor(CollectionDefinition.class).withDefaultPrettyPrinter();
    private static final String SUM = "\ncrc32c ";
    private static final int SUM_BYTES = SUM.length() + 2 * Integer.BYTES + 1;

    private CatalogEntry() {}

    /**
     * Lets Jackson look at the class of definitions now. It does so in monitors of fields that all classes share, and a
     * task would wait there for a caller on a virtual thread that got no carrier.
     */
    static void prepare() {
        // by the initializer
    }

    /** Returns a definition as the catalog has it. */
    public static Bytes encode(CollectionDefinition definition) {
        try {
            String json = WRITER.writeValueAsString(definition);
            return Bytes.utf8(json + SUM + sum(Bytes.utf8(json)) + "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a definition is always json", e);
        }
    }

    /**
     * Returns the definition that an entry holds.
     *
     * @param name of the collection whose definition it must be
     * @param version of the object that has it, if that is known
     * @throws CorruptDataException when it is damaged, of another format, or of another collection
     */
    public static CollectionDefinition decode(String name, Bytes body, String key, @Nullable ObjectVersion version) {
        Bytes json = json(body, key, version);
        @Nullable Throwable why = null;
        try {
            CollectionDefinition definition = READER.readValue(json.array(), json.offset(), json.length());
            if (definition.format() == CollectionDefinition.FORMAT && name.equals(definition.name())) {
                return definition;
            }
        } catch (IOException | RuntimeException e) {
            why = e;
        }
        throw new CorruptDataException(
                ErrorCode.OTHER_RELEASE,
                "a catalog entry is of another format or name; use the penstock that wrote it, or restore it",
                why,
                "key",
                key,
                "version",
                version);
    }

    /** Returns the part of an entry before the line of the checksum. */
    private static Bytes json(Bytes body, String key, @Nullable ObjectVersion version) {
        int end = Math.max(0, body.length() - SUM_BYTES);
        Bytes json = body.slice(0, end);
        if (!body.slice(end, body.length()).equals(Bytes.utf8(SUM + sum(json) + "\n"))) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "a catalog entry does not have its checksum; restore it",
                    "key",
                    key,
                    "version",
                    version);
        }
        return json;
    }

    private static String sum(Bytes json) {
        CRC32C crc = new CRC32C();
        crc.update(json.array(), json.offset(), json.length());
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
