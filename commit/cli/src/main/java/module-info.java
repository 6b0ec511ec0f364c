/** The operator's command. It uses the public API of the library and nothing else. */
@org.jspecify.annotations.NullMarked
module io.penstock.cli {
    requires transitive io.penstock;
    requires io.penstock.console;
    // For one command: who builds on the others has no need of it.
    requires static io.penstock.sql;
    requires java.sql;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires transitive info.picocli;

    // The base of all command lines, those of the benchmarks too.
    exports io.penstock.cli.program;

    // A format of exports that another module has.
    uses io.penstock.cli.program.TableFile;

    // What picocli and Jackson read and fill by reflection.
    opens io.penstock.cli to
            info.picocli;
    opens io.penstock.cli.access to
            com.fasterxml.jackson.databind;
}
