package io.penstock.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The source of Spark that reads collections, by the name {@code penstock}: its declared fields are the columns.
 *
 * <pre>{@code
 * spark.read().format("penstock").option("bucket", "shop").option("collection", "books")
 *         .option("fields", "title string, price decimal").load();
 * }</pre>
 *
 * <p>All tasks of a query read one state. Stateless.
 */
public final class PenstockSource implements TableProvider, DataSourceRegister {
    @Override
    public String shortName() {
        return "penstock";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return new CollectionTable(SourceOptions.of(options)).schema();
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new CollectionTable(SourceOptions.of(properties));
    }
}
