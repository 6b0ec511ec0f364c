package io.penstock.cli.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The JSON that commands print. */
public final class JsonText {
    private JsonText() {}

    /**
     * A value as JSON text, on one line.
     *
     * @param value maps, lists, strings and numbers, nested as one likes
     */
    public static String of(Object value) {
        try {
            return JsonMapper.builder().build().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of strings and numbers are always json", e);
        }
    }
}
