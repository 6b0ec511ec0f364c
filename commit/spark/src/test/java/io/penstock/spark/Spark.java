package io.penstock.spark;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A Spark of this JVM, with two threads for tasks; it ends with the JVM. */
final class Spark {
    private static final SparkSession SESSION = SparkSession.builder()
            .master("local[2]")
            .appName("penstock")
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.warehouse.dir", "target/warehouse")
            .getOrCreate();

    private Spark() {}

    static SparkSession session() {
        return SESSION;
    }

    static Dataset<Row> read(Map<String, String> options) {
        return SESSION.read().format("penstock").options(options).load();
    }

    /** The plan of a query, which tells what is pushed. */
    static String plan(Dataset<Row> query) {
        return query.queryExecution().executedPlan().toString();
    }
}
