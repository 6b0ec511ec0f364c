package io.penstock.sql;

import static java.util.Objects.requireNonNull;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.FieldType.Kind;
import java.math.BigDecimal;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/** A statement that is planned, to be run any number of times. Safe for use by many threads. */
final class PlannedQuery<T> extends CalciteSignature<T> {
    /** The runs of a statement that meets conflicts before its first row. */
    private static final int RUNS_MAX = 8;

    private final transient CalciteSignature<T> plan;
    private final boolean hasDecimals;

    PlannedQuery(CalciteSignature<T> plan) {
        super(
                plan.sql,
                plan.parameters,
                plan.internalParameters,
                plan.rowType,
                plan.columns,
                plan.cursorFactory,
                plan.rootSchema,
                plan.getCollationList(),
                -1,
                null,
                plan.statementType);
        this.plan = plan;
        this.hasDecimals = plan.columns.stream().anyMatch(column -> column.type.id == Types.DECIMAL);
    }

    @Override
    public Enumerable<T> enumerable(DataContext context) {
        SqlSession session = SqlSession.of((CalciteConnection) context.getQueryProvider());
        long rowsMax = session.rowsMax();
        AtomicBoolean canceled =
                (AtomicBoolean) requireNonNull(context.get(DataContext.Variable.CANCEL_FLAG.camelName));
        Object timeout = context.get(DataContext.Variable.TIMEOUT.camelName);
        long timeoutMillis = timeout instanceof Long millis ? millis : 0;
        Map<String, @Nullable Object> bound = bound(context);
        canceled.set(false); // it may be left over from an earlier run
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<T> enumerator() {
                return new Run(session, () -> session.begin(canceled, timeoutMillis), context, bound, rowsMax);
            }
        };
    }

    /** The values of parameters, each of the type that the statement takes it as. */
    private Map<String, @Nullable Object> bound(DataContext context) {
        Map<String, @Nullable Object> bound = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            AvaticaParameter parameter = parameters.get(i);
            bound.put("?" + i, parameter(i + 1, parameter.parameterType, context.get("?" + i)));
        }
        return bound;
    }

    /**
     * The value as Calcite keeps those of the type.
     *
     * @param number of the parameter, from 1
     * @param type of {@link Types}, that the statement takes it as
     * @throws InvalidRequestException when the type has no such value
     */
    private static @Nullable Object parameter(int number, int type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        Object converted = switch (type) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> SqlTypes.toField(Kind.INT, value);
            case Types.BIGINT -> SqlTypes.toField(Kind.LONG, value);
            case Types.DATE -> value instanceof LocalDate day ? SqlTypes.toField(Kind.INT, day.toEpochDay()) : null;
            case Types.TIME -> value instanceof Integer ? value : null;
            case Types.TIMESTAMP -> millis(value);
            case Types.BINARY, Types.VARBINARY -> value instanceof ByteString ? value : null;
            case Types.REAL, Types.FLOAT, Types.DOUBLE -> SqlTypes.toField(Kind.DOUBLE, value);
            case Types.DECIMAL, Types.NUMERIC -> value instanceof Number amount ? SqlTypes.decimal(amount) : null;
            case Types.BOOLEAN -> SqlTypes.toField(Kind.BOOLEAN, value);
            case Types.CHAR, Types.VARCHAR -> SqlTypes.toField(Kind.STRING, value);
            default -> value;
        };
        if (converted == null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a parameter has a value that its type does not take; bind "
                            + (type == Types.TIMESTAMP ? "an Instant or LocalDateTime" : "another")
                            + ", or CAST the parameter",
                    "parameter",
                    number,
                    "type",
                    java.sql.JDBCType.valueOf(type),
                    "bound",
                    value.getClass().getSimpleName());
        }
        return converted;
    }

    private static @Nullable Long millis(Object time) {
        return switch (time) {
            case Instant instant -> instant.toEpochMilli();
            case LocalDateTime inUtc -> inUtc.toInstant(ZoneOffset.UTC).toEpochMilli();
            default -> null;
        };
    }

    /** A row whose decimals have no zeros at their end, which all have here. */
    @SuppressWarnings("unchecked") // of a row comes a row
    private T plain(T row) {
        if (row instanceof BigDecimal decimal) {
            return (T) plain(decimal);
        }
        if (!hasDecimals || !(row instanceof Object[] values)) {
            return row;
        }
        @Nullable Object[] copy = values.clone();
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] instanceof BigDecimal decimal) {
                copy[i] = plain(decimal);
            }
        }
        return (T) copy;
    }

    private static BigDecimal plain(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** One run. What it throws has become an {@link java.sql.SQLException}. For one thread. */
    private final class Run implements Enumerator<T> {
        private final SqlSession session;
        private final Supplier<Cut> begin;
        private final DataContext context;
        private final Map<String, @Nullable Object> bound;
        private @Nullable Cut cut;
        private @Nullable Enumerator<T> rows;
        private @Nullable T current;
        private boolean given;

        /** The number of rows that it may still give; negative for all. */
        private long left;

        /** @param rowsMax 0 for all */
        Run(
                SqlSession session,
                Supplier<Cut> begin,
                DataContext context,
                Map<String, @Nullable Object> bound,
                long rowsMax) {
            this.left = rowsMax == 0 ? -1 : rowsMax;
            this.session = session;
            this.begin = begin;
            this.context = context;
            this.bound = bound;
        }

        @Override
        public boolean moveNext() {
            if (left == 0) {
                return false;
            }
            try {
                boolean more = given ? advance() : first();
                given = true;
                left--;
                return more;
            } catch (Throwable failure) {
                close();
                throw SqlFailures.unchecked(failure);
            }
        }

        private boolean first() {
            int runs = 1;
            while (true) {
                try {
                    return advance();
                } catch (ConflictException conflict) {
                    Cut met = cut;
                    if (met == null || !met.isOwn() || runs == RUNS_MAX) {
                        throw conflict;
                    }
                    runs++;
                    close();
                    cut = null;
                }
            }
        }

        /** Goes to the next row, and computes it. */
        private boolean advance() {
            Enumerator<T> open = opened();
            boolean more = open.moveNext();
            // Calcite takes rows that it left out since it was canceled for none.
            requireNonNull(cut).check();
            current = more ? plain(open.current()) : null;
            return more;
        }

        private Enumerator<T> opened() {
            Enumerator<T> open = rows;
            if (open == null) {
                Cut chosen = cut == null ? begin.get() : cut;
                cut = chosen;
                chosen.check();
                open = plan.enumerable(chosen.in(context, bound)).enumerator();
                rows = open;
            }
            return open;
        }

        @Override
        @SuppressWarnings("NullAway") // a row with one column is its value, which may be null
        public T current() {
            return current;
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }

        /** Ends this; the cut stays, so that it does not begin anew. */
        @Override
        public void close() {
            Enumerator<T> open = rows;
            Cut chosen = cut;
            rows = null;
            if (open != null) {
                open.close();
            }
            if (chosen != null) {
                session.end(chosen);
            }
        }
    }
}
