package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.bench.program.Resource;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.PriceList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A price list, as one of the files {@code prices/*.json} has it: dollars for requests, traffic and storage.
 *
 * @param source where the prices are from
 * @param storagePerGbMonth 10^9 bytes kept for a month
 */
public record Prices(String name, String source, PriceList requests, double storagePerGbMonth) {
    /** The names of the lists that come with the program. */
    public static final List<String> KNOWN =
            List.of("paper-2008", "aws-2026", "express-2026", "gcs-2026", "azure-2026", "free");

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final String STORAGE = "s3StoragePerGbMonth";
    private static final List<String> NUMBERS =
            List.of("s3Put", "s3Get", "s3InPerGb", "s3OutPerGb", STORAGE, "sqsUnit", "sqsInPerGb", "sqsOutPerGb");
    private static final List<String> TEXTS = List.of("name", "source");

    /**
     * Returns the price list of a name, or of a file of the user's own.
     *
     * @throws UsageException when there is none, or when it has a hole
     */
    public static Prices of(String nameOrFile) {
        return KNOWN.contains(nameOrFile)
                ? parse(Resource.text(Prices.class, "prices/" + nameOrFile + ".json"), nameOrFile)
                : parse(file(nameOrFile), nameOrFile);
    }

    private static String file(String name) {
        try {
            return Files.readString(Path.of(name), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageException("no price list " + name
                    + " can be read; name a file, also of a profile, or one of " + String.join(", ", KNOWN));
        }
    }

    /** @param json a list, or a profile, which has one */
    static Prices parse(String json, String file) {
        JsonNode root = tree(json, file);
        return of(root.has("millis") ? root.path("prices") : root, file);
    }

    static Prices of(JsonNode root, String file) {
        Set<String> unknown = new TreeSet<>();
        root.fieldNames().forEachRemaining(unknown::add);
        NUMBERS.forEach(unknown::remove);
        TEXTS.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new UsageException("the price list " + file + " has a field that means nothing: "
                    + unknown.iterator().next() + "; its fields are " + String.join(", ", NUMBERS));
        }
        NUMBERS.forEach(field -> requirePrice(root, field, file));
        return new Prices(
                root.path("name").asText(file),
                root.path("source").asText(""),
                MAPPER.convertValue(root, PriceList.class),
                root.path(STORAGE).doubleValue());
    }

    /** The list as JSON. */
    JsonNode json() {
        ObjectNode json = MAPPER.createObjectNode().put("name", name).put("source", source);
        json.setAll(MAPPER.<ObjectNode>valueToTree(requests));
        return json.put(STORAGE, storagePerGbMonth);
    }

    private static JsonNode tree(String json, String file) {
        try {
            JsonNode root = MAPPER.readTree(json);
            if (root.isObject()) {
                return root;
            }
        } catch (JsonProcessingException e) {
            // Reported below.
        }
        throw new UsageException("the price list " + file + " is no JSON object; see prices/aws-2026.json for one");
    }

    private static void requirePrice(JsonNode root, String field, String file) {
        JsonNode node = root.path(field);
        if (!node.isNumber() || node.doubleValue() < 0 || !Double.isFinite(node.doubleValue())) {
            throw new UsageException(
                    "the price list " + file + " has no price " + field + "; give dollars, 0 if it is free");
        }
    }
}
