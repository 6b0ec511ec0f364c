package io.penstock.spark;

import io.penstock.query.Fields;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A collection as a table: its declared fields are the columns. Immutable. */
final class CollectionTable implements SupportsRead {
    private final SourceOptions options;
    private final Fields fields;

    CollectionTable(SourceOptions options) {
        this.options = options;
        this.fields = OpenStores.collection(options).fields();
    }

    @Override
    public String name() {
        return "penstock." + options.collection();
    }

    @Override
    @SuppressWarnings("deprecation") // its successor is made from it
    public StructType schema() {
        return SparkTypes.schema(fields.all());
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap unused) {
        return new CollectionScanBuilder(options, fields);
    }
}
