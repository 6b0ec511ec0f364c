package io.penstock.bench.tpcw.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The measurements so far: the JSON of each command that has run. Safe for use by many threads. */
public final class Measurements {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, JsonNode> byCommand = new ConcurrentHashMap<>();

    /** The JSON that a command has printed. */
    public void add(String command, String json) {
        try {
            byCommand.put(command, MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON came from scripts/tpcw " + command, e);
        }
    }

    public boolean has(String command) {
        return byCommand.containsKey(command);
    }

    /** The figure of a row, or empty when it has not been measured. */
    public Optional<BigDecimal> figure(Experiment.Row row, Experiment.Column column) {
        JsonNode json = byCommand.get(row.command());
        if (json == null) {
            return Optional.empty();
        }
        JsonNode found = json.at(row.base() + column.pointer());
        return found.isNumber()
                ? Optional.of(found.decimalValue().setScale(column.decimals(), RoundingMode.HALF_UP))
                : Optional.empty();
    }

    /** The figure as text; a dash when there is none. */
    String text(Experiment.Row row, Experiment.Column column) {
        return figure(row, column).map(BigDecimal::toPlainString).orElse("–");
    }
}
