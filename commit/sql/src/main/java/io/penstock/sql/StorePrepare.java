package io.penstock.sql;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.ConvertToChecked;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The way from SQL to a plan, and the plans that are kept by their SQL: planning takes tens of milliseconds. Safe for
 * use by many threads.
 */
final class StorePrepare extends CalcitePrepareImpl {
    /** The number of plans that are kept. When there are more, all are forgotten. */
    private static final int PLANS_MAX = 256;

    /** Words that begin what is no query; the parser does not know all of them. */
    private static final Pattern WRITES = Pattern.compile(
            "\\s*(alter|begin|call|commit|create|delete|drop|grant|insert|merge|replace|revoke|rollback|savepoint|set"
                    + "|start|truncate|update|upsert)\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Map<String, CalciteSignature<?>> plans = new ConcurrentHashMap<>();

    /** Plans for all rows: a run knows how many its statement gives. */
    @Override
    @SuppressWarnings("unchecked") // the rows of all statements are arrays
    public <T> CalciteSignature<T> prepareSql(Context context, Query<T> query, Type rows, long rowsMax) {
        try {
            if (query.sql == null) {
                return new PlannedQuery<>(super.prepareSql(context, query, rows, -1));
            }
            CalciteSignature<?> kept = plans.get(query.sql);
            if (kept != null) {
                return (CalciteSignature<T>) kept;
            }
            boolean keeps = requireQuery(context, query.sql);
            CalciteSignature<T> planned = new PlannedQuery<>(super.prepareSql(context, query, rows, -1));
            if (keeps) {
                keep(query.sql, planned);
            }
            return planned;
        } catch (Throwable failure) {
            throw SqlFailures.unchecked(failure);
        }
    }

    /** A builder of plans in Java. */
    RelBuilder builder(Context context) {
        RexBuilder expressions = new RexBuilder(context.getTypeFactory());
        CalciteCatalogReader catalog = new CalciteCatalogReader(
                context.getRootSchema(), context.getDefaultSchemaPath(), context.getTypeFactory(), context.config());
        return RelFactories.LOGICAL_BUILDER.create(createCluster(createPlanner(context), expressions), catalog);
    }

    /** Leaves out merges: they tell no keys, and lose rows of outer joins, which Calcite takes for sorted. */
    @Override
    protected RelOptPlanner createPlanner(
            CalcitePrepare.Context context,
            org.apache.calcite.plan.@Nullable Context external,
            @Nullable RelOptCostFactory costs) {
        RelOptPlanner planner = super.createPlanner(context, external, costs);
        planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE);
        return planner;
    }

    private void keep(String sql, CalciteSignature<?> planned) {
        if (plans.size() >= PLANS_MAX) {
            plans.clear();
        }
        plans.put(sql, planned);
    }

    /** Requires that SQL only reads, and returns whether it is a query, and not an explanation of one. */
    private boolean requireQuery(Context context, String sql) throws java.sql.SQLException, SqlParseException {
        if (WRITES.matcher(sql).matches()) {
            throw SqlFailures.writes();
        }
        CalciteConnectionConfig config = context.config();
        SqlKind kind = createParser(
                        sql,
                        SqlParser.config()
                                .withQuotedCasing(config.quotedCasing())
                                .withUnquotedCasing(config.unquotedCasing())
                                .withQuoting(config.quoting()))
                .parseStmt()
                .getKind();
        if (!kind.belongsTo(SqlKind.QUERY) && kind != SqlKind.EXPLAIN) {
            throw SqlFailures.writes();
        }
        return kind != SqlKind.EXPLAIN;
    }

    @Override
    protected CalcitePreparingStmt getPreparingStmt(
            Context context, Type rows, CalciteCatalogReader catalog, RelOptPlanner planner) {
        return new Statement(this, context, catalog, planner);
    }

    /** One statement while it is planned. */
    private static final class Statement extends CalcitePreparingStmt {
        Statement(
                StorePrepare prepare,
                CalcitePrepare.Context context,
                Prepare.CatalogReader catalog,
                RelOptPlanner planner) {
            this(prepare, context, catalog, planner, context.getTypeFactory());
        }

        private Statement(
                StorePrepare prepare,
                CalcitePrepare.Context context,
                Prepare.CatalogReader catalog,
                RelOptPlanner planner,
                JavaTypeFactory types) {
            super(
                    prepare,
                    context,
                    catalog,
                    types,
                    context.getRootSchema(),
                    EnumerableRel.Prefer.ARRAY,
                    prepare.createCluster(planner, new RexBuilder(types)),
                    EnumerableConvention.INSTANCE,
                    prepare.createConvertletTable());
        }

        /** A long list of values stays a condition, which can be pushed, and does not become a join. */
        @Override
        protected SqlToRelConverter getSqlToRelConverter(
                SqlValidator validator, CatalogReader catalog, SqlToRelConverter.Config config) {
            return super.getSqlToRelConverter(validator, catalog, config.withInSubQueryThreshold(Integer.MAX_VALUE));
        }

        /** Makes a number that is too large an error, not another number, and a null no number. */
        @Override
        public RelNode flattenTypes(RelNode root, boolean restructure) {
            RelNode correct = root.accept(new Corrections(root.getCluster().getRexBuilder()));
            RelNode checked = new ConvertToChecked(root.getCluster().getRexBuilder(), true).visit(correct);
            return super.flattenTypes(checked, restructure);
        }

        @Override
        protected Program getProgram() {
            return Programs.sequence(WideSums.PROGRAM, super.getProgram(), LastPass.PROGRAM);
        }
    }
}
