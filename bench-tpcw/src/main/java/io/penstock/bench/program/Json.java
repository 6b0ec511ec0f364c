package io.penstock.bench.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Reports as JSON: the components of records, whose names are an interface. */
public final class Json {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writer();

    private Json() {}

    /** Ends with a line feed. */
    public static String of(Object report) {
        try {
            return WRITER.writeValueAsString(report) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of plain records cannot be written", e);
        }
    }
}
