package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.core.StoreException;
import io.penstock.sql.PenstockSql;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.data.domain.Pageable;
import org.springframework.data.repository.query.ParametersParameterAccessor;
import org.springframework.data.repository.query.QueryMethod;
import org.springframework.data.repository.query.RepositoryQuery;
import org.springframework.data.repository.query.ResultProcessor;
import org.springframework.data.support.PageableExecutionUtils;

/** The query that a method's {@link Query} says in SQL. Safe for many threads. */
final class SqlQuery<T, K> implements RepositoryQuery {
    private final QueryMethod method;
    private final StoredRecords<T, K> records;
    private final PenstockSql sql;
    private final SqlText text;

    /** Whether rows are arrays of their columns, of which Spring knows no more than Object. */
    private final boolean arrays;

    /** Reads something, of which SQL may tell that it failed. */
    private interface Read<R> {
        R of(PreparedStatement statement) throws SQLException;
    }

    /** @param given the application's own tables; null: those of the repository */
    SqlQuery(
            Method declared,
            QueryMethod method,
            String query,
            StoredRecords<T, K> records,
            Penstock store,
            @Nullable PenstockSql given) {
        this.method = method;
        this.records = records;
        this.sql = given == null ? PenstockSql.of(store, records.collection()) : given;
        this.text = SqlText.of(
                query.strip().replaceFirst(";$", ""), method.getParameters().getBindableParameters());
        if (method.isScrollQuery() || method.getParameters().hasSortParameter()) {
            throw StoredRecords.refused("SQL says its order itself; take a Pageable or a Limit", method.getName());
        }
        this.arrays = isOfArrays(declared);
        Class<?> returned = type(method.getResultProcessor());
        if (!method.getParameters().hasDynamicProjection() && isRecord(returned)) {
            records.requireKeysOfSql();
        }
    }

    private static boolean isOfArrays(Method declared) {
        Class<?> all = declared.getReturnType();
        boolean arrays =
                ResolvableType.forMethodReturnType(declared).getGeneric().resolve() == Object[].class;
        boolean several = Iterable.class.isAssignableFrom(all) || all == Stream.class;
        if (all == Object[].class || arrays && !several) {
            throw StoredRecords.refused("an array of columns is in a List<Object[]>, or a record", declared.getName());
        }
        return arrays;
    }

    /** The class that rows become. */
    private Class<?> type(ResultProcessor results) {
        return arrays ? Object[].class : results.getReturnedType().getReturnedType();
    }

    /** Whether results of a class are records of the repository, and not columns. */
    private boolean isRecord(Class<?> type) {
        return type.isAssignableFrom(records.keys().getJavaType());
    }

    /** Finds out whether the SQL is right. */
    SqlQuery<T, K> checked() {
        List<@Nullable Object> any = new ArrayList<>();
        method.getParameters().getBindableParameters().forEach(parameter -> any.add(null));
        return records.template().read(transaction -> {
            run(transaction, new SqlText.Bound(text.bind(any).sql(), List.of()), statement -> true);
            return this;
        });
    }

    @Override
    public QueryMethod getQueryMethod() {
        return method;
    }

    @Override
    public @Nullable Object execute(Object[] arguments) {
        ParametersParameterAccessor given = new ParametersParameterAccessor(method.getParameters(), arguments);
        ResultProcessor results = method.getResultProcessor().withDynamicProjection(given);
        Class<?> type = type(results);
        Object found = records.template().read(transaction -> answer(transaction, given, type));
        return results.processResult(found instanceof List<?> all ? DerivedQuery.shaped(method, all) : found);
    }

    /** A page, a slice or a list. */
    private Object answer(Transaction transaction, ParametersParameterAccessor given, Class<?> type) {
        List<@Nullable Object> arguments = new ArrayList<>();
        given.forEach(arguments::add);
        SqlText.Bound bound = text.bind(arguments);
        Pageable page = given.getPageable();
        if (page.getSort().isSorted()) {
            throw StoredRecords.refused("SQL says its order itself; leave it out of the Pageable", page);
        }
        if (method.isPageQuery()) {
            return PageableExecutionUtils.getPage(
                    list(transaction, part(bound, page, 0), type), page, () -> count(transaction, bound));
        }
        if (method.isSliceQuery()) {
            return StoredRecords.sliced(list(transaction, part(bound, page, 1), type), page);
        }
        return list(transaction, part(bound, page, 0), type);
    }

    /** @param page of the method's Pageable or Limit */
    private static SqlText.Bound part(SqlText.Bound all, Pageable page, int more) {
        if (page.isUnpaged()) {
            return all;
        }
        long skipped = StoredRecords.skipped(page.getOffset());
        String part = "\noffset " + skipped + " rows fetch next " + (page.getPageSize() + more) + " rows only";
        return new SqlText.Bound(all.sql() + part, all.values());
    }

    private long count(Transaction transaction, SqlText.Bound all) {
        SqlText.Bound count = new SqlText.Bound("select count(*) as n from (" + all.sql() + "\n)", all.values());
        return Objects.requireNonNull(
                run(transaction, count, SqlQuery::rows).getFirst().value("n", Long.class));
    }

    private List<?> list(Transaction transaction, SqlText.Bound bound, Class<?> type) {
        List<SqlRow> rows = run(transaction, bound, SqlQuery::rows);
        return isRecord(type)
                ? records.ofKeys(transaction, rows)
                : rows.stream().<@Nullable Object>map(row -> row.as(type)).toList();
    }

    private static List<SqlRow> rows(PreparedStatement statement) throws SQLException {
        List<SqlRow> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(SqlRow.of(rows));
            }
        }
        return found;
    }

    private <R> R run(Transaction transaction, SqlText.Bound bound, Read<R> read) {
        try (Connection connection = sql.connect(transaction);
                PreparedStatement statement = connection.prepareStatement(bound.sql())) {
            for (int i = 0; i < bound.values().size(); i++) {
                statement.setObject(i + 1, bound.values().get(i));
            }
            return read.of(statement);
        } catch (SQLException failure) {
            if (failure.getCause() instanceof StoreException known) {
                throw known;
            }
            throw new InvalidDataAccessResourceUsageException(
                    failure.getMessage() + " query=" + method.getName(), failure);
        }
    }
}
