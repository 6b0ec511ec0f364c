package io.penstock.sql;

import io.penstock.RecordCollection;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType.Kind;
import io.penstock.query.KeyField;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/** A collection as a table: its declared fields are the columns. Immutable. */
final class CollectionTable extends AbstractTable implements TranslatableTable {
    /** The number of records that plans are made for: so many that a limit spares some. */
    private static final double ROWS_GUESSED = 1_000_000;

    private final RecordCollection<?, ?> collection;
    private final List<Field<?>> fields;

    /** @throws InvalidRequestException when the collection declares no fields */
    CollectionTable(RecordCollection<?, ?> collection) {
        this.collection = collection;
        this.fields = collection.fields().all();
        if (fields.isEmpty()) {
            throw new InvalidRequestException(
                    "a collection without declared fields is no table; declare them first",
                    "collection",
                    collection.name());
        }
    }

    RecordCollection<?, ?> collection() {
        return collection;
    }

    /** The fields, one for each column. */
    List<Field<?>> fields() {
        return fields;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
        RelDataTypeFactory.Builder row = types.builder();
        fields.forEach(field -> row.add(field.name(), SqlTypes.of(field, types)));
        return row.build();
    }

    /** A key is unique unless it is an instant: several are one value of SQL. */
    @Override
    public Statistic getStatistic() {
        List<ImmutableBitSet> keys = IntStream.range(0, fields.size())
                .filter(place -> fields.get(place) instanceof KeyField<?> key
                        && key.isWhole()
                        && key.type().kind() != Kind.INSTANT)
                .mapToObj(ImmutableBitSet::of)
                .toList();
        return Statistics.of(ROWS_GUESSED, keys, null, null);
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
        return new Whole(context.getCluster(), table, this);
    }

    /** A table in a plan before it has become a scan: all columns of all rows. Immutable. */
    static final class Whole extends TableScan {
        private final CollectionTable rows;

        Whole(RelOptCluster cluster, RelOptTable table, CollectionTable rows) {
            super(cluster, cluster.traitSetOf(Convention.NONE), List.of(), table);
            this.rows = rows;
        }

        CollectionScan scan() {
            return CollectionScan.of(getCluster(), table, rows);
        }

        @Override
        public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
            return this;
        }

        /** Leaves out what a plan does not use. */
        @Override
        public RelNode project(ImmutableBitSet used, Set<RelDataTypeField> extra, RelBuilder builder) {
            if (!extra.isEmpty() || used.isEmpty()) {
                return super.project(used, extra, builder);
            }
            return scan().select(used.asList());
        }

        @Override
        public void register(RelOptPlanner planner) {
            ScanRules.ALL.forEach(planner::addRule);
        }
    }
}
