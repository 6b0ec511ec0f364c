/** Pages of a store for a browser, by the public API of the library and nothing else. */
@org.jspecify.annotations.NullMarked
module io.penstock.console {
    requires transitive io.penstock;
    requires com.fasterxml.jackson.core;
    requires jdk.httpserver;

    exports io.penstock.console;
}
