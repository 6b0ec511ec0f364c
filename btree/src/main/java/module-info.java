/** B-link trees on pages that are objects. */
@org.jspecify.annotations.NullMarked
module io.penstock.btree {
    requires transitive io.penstock.core;
    requires org.slf4j;

    exports io.penstock.btree to
            io.penstock;
}
