/** The front door: collections, transactions, commit protocols, checkpoints, recovery. */
@org.jspecify.annotations.NullMarked
module io.penstock {
    requires transitive io.penstock.core;
    requires io.penstock.btree;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires transitive com.fasterxml.jackson.databind;
    requires org.slf4j;

    exports io.penstock;
    exports io.penstock.annotation;
    exports io.penstock.feed;
    exports io.penstock.query;
    exports io.penstock.report;

    // What Jackson reads and fills by reflection.
    opens io.penstock.commit.catalog to
            com.fasterxml.jackson.databind;
}
