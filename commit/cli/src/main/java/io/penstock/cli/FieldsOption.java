package io.penstock.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says which fields payloads have, of which the store knows nothing. */
final class FieldsOption {
    @Option(
            names = "--fields",
            paramLabel = "F",
            description = "declares fields of payloads in JSON: 'books(title string, price decimal)'; once for each"
                    + " collection. Types: boolean int long double decimal string bytes date instant")
    private List<String> fields = new ArrayList<>();

    List<String> declared() {
        return fields;
    }
}
