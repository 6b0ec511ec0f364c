/** A simulated cloud in virtual time, with faults, driven by one seed: for tests of programs that use a store. */
@org.jspecify.annotations.NullMarked
module io.penstock.testkit {
    requires transitive io.penstock.core;

    exports io.penstock.testkit;
}
