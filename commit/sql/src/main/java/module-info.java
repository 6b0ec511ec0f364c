/** Read-only SQL over the collections of a store, by JDBC. */
@org.jspecify.annotations.NullMarked
module io.penstock.sql {
    requires transitive io.penstock;
    requires transitive java.sql;
    // Named by their files, which have no modules of their own.
    requires transitive calcite.core;
    requires calcite.linq4j;
    requires avatica.core;

    exports io.penstock.sql;

    provides java.sql.Driver with
            io.penstock.sql.PenstockDriver;
}
