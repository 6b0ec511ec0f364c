package io.penstock.spark;

import io.penstock.RecordCollection;
import io.penstock.core.Bytes;
import io.penstock.query.Query;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A query of a collection, in parts that are read at one position of its domain's log. For one thread. */
final class CollectionScan implements Scan, Batch {
    private static final int SPLITS_PER_CORE = 2;

    private final TaskWork work;
    private final StructType schema;
    private InputPartition @Nullable [] parts;

    CollectionScan(TaskWork work, StructType schema) {
        this.work = work;
        this.schema = schema;
    }

    @Override
    public StructType readSchema() {
        return schema;
    }

    @Override
    public String description() {
        return "penstock " + work;
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    /**
     * The keys that one task reads.
     *
     * @param position the state
     * @param from the first encoded key
     * @param to the first encoded key beyond them; null for the end
     */
    record KeyPart(String position, byte[] from, byte @Nullable [] to) implements InputPartition {
        private static final long serialVersionUID = 1;

        Query of(Query query) {
            return query.within(Bytes.wrap(from), to == null ? null : Bytes.wrap(to));
        }

        boolean isWhole() {
            return from.length == 0 && to == null;
        }
    }

    @Override
    public InputPartition[] planInputPartitions() {
        InputPartition[] known = parts;
        if (known == null) {
            known = plan();
            parts = known;
        }
        return known;
    }

    private InputPartition[] plan() {
        SourceOptions options = work.options();
        RecordCollection<?, ?> collection = OpenStores.collection(options);
        String position = position(options, collection);
        int cores = SparkSession.active().sparkContext().defaultParallelism();
        int most = options.splits() == 0 ? SPLITS_PER_CORE * cores : options.splits();
        List<Query> queries = collection.parts(work.query(collection.fields()), most);
        return queries.stream()
                .map(query -> {
                    Bytes to = query.to();
                    return new KeyPart(position, query.from().toArray(), to == null ? null : to.toArray());
                })
                .toArray(InputPartition[]::new);
    }

    private static String position(SourceOptions options, RecordCollection<?, ?> collection) {
        OpenStores.hold(options);
        if (options.position().isEmpty()) {
            return collection.position(); // now that checkpoints wait at an earlier one
        }
        OpenStores.store(options).at(options.position(), Duration.ZERO).close(); // or it fails here, once
        return options.position();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new Readers(work);
    }

    /** Opens the reader of a part, at an executor. */
    record Readers(TaskWork work) implements PartitionReaderFactory {
        private static final long serialVersionUID = 1;

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition part) {
            return new PartReader(work, (KeyPart) part);
        }
    }
}
