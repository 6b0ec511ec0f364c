package io.penstock.spring.data;

import static io.penstock.query.Condition.Operator.GE;
import static io.penstock.query.Condition.Operator.GT;
import static io.penstock.query.Condition.Operator.LE;
import static io.penstock.query.Condition.Operator.LT;

import io.penstock.query.Condition;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.repository.query.ParametersParameterAccessor;
import org.springframework.data.repository.query.QueryMethod;
import org.springframework.data.repository.query.RepositoryQuery;
import org.springframework.data.repository.query.ReturnedType;
import org.springframework.data.repository.query.parser.Part;
import org.springframework.data.repository.query.parser.PartTree;
import org.springframework.util.ClassUtils;

/** The query that the name of a repository's method says. Safe for many threads. */
final class DerivedQuery<T> implements RepositoryQuery {
    /** The names in which First or Top stands where Spring takes it for a limit; it does so in finders alone. */
    private static final Pattern LIMITED = Pattern.compile("\\p{Ll}+(Distinct)?(First|Top)\\d*(\\p{Lu}.*)?By.*");

    private final QueryMethod method;
    private final StoredRecords<T, ?> records;
    private final PartTree tree;

    /** One of some conditions, each of which is all of some. */
    private final List<List<Function<Iterator<Object>, Condition>>> where;

    /** @throws org.springframework.dao.InvalidDataAccessApiUsageException when the store has no such condition */
    DerivedQuery(Method declared, QueryMethod method, StoredRecords<T, ?> records) {
        this.method = method;
        this.records = records;
        this.tree = new PartTree(method.getName(), records.keys().getJavaType());
        this.where = tree.stream()
                .map(all -> all.stream().map(this::condition).toList())
                .toList();
        var unused = records.order(tree.getSort());
        int values =
                tree.getParts().stream().mapToInt(Part::getNumberOfArguments).sum();
        if (method.getParameters().getBindableParameters().getNumberOfParameters() != values) {
            throw StoredRecords.refused(
                    "a query has another number of parameters than its name says", method.getName());
        }
        ReturnedType returned = method.getResultProcessor().getReturnedType();
        if (returned.isProjecting() && !returned.getReturnedType().isInterface()) {
            throw StoredRecords.refused("a projection is an interface, and no class", returned.getReturnedType());
        }
        if (tree.isDelete()
                && !isOfDelete(ClassUtils.resolvePrimitiveIfNecessary(declared.getReturnType()), returned)) {
            throw StoredRecords.refused("a delete returns a number, a list, or nothing", method.getName());
        }
        boolean tells = tree.isCountProjection() || tree.isExistsProjection();
        if ((tells || tree.isDelete()) && method.getParameters().hasPageableParameter()
                || tells && method.getParameters().hasLimitParameter()) {
            throw StoredRecords.refused("finders take a Pageable, they and deletes a Limit", method.getName());
        }
        if (!tree.isLimiting() && LIMITED.matcher(method.getName()).matches()) {
            throw StoredRecords.refused("First and Top limit what is found; give a delete a Limit", method.getName());
        }
        if (tree.isLimiting() && method.getParameters().hasPageableParameter()) {
            throw StoredRecords.refused("a query has a limit in its name or a Pageable", method.getName());
        }
    }

    /** Whether a delete can return such a result; when the result is found not to fit, the records are gone. */
    private boolean isOfDelete(Class<?> result, ReturnedType returned) {
        return method.isCollectionQuery()
                ? returned.isProjecting() || returned.getReturnedType().isAssignableFrom(returned.getDomainType())
                : result == void.class || result == Void.class || Number.class.isAssignableFrom(result);
    }

    private Function<Iterator<Object>, Condition> condition(Part part) {
        Attribute<T> by = records.attribute(part.getProperty().toDotPath());
        if (part.shouldIgnoreCase() != Part.IgnoreCaseType.NEVER) {
            throw StoredRecords.refused("the store compares text as it is; keep a lower-case property", part);
        }
        return switch (part.getType()) {
            case SIMPLE_PROPERTY -> given -> by.is(given.next());
            case NEGATING_SIMPLE_PROPERTY -> given -> by.isNot(given.next());
            case TRUE -> given -> by.is(true);
            case FALSE -> given -> by.is(false);
            case IS_NULL -> given -> by.is(null);
            case IS_NOT_NULL -> given -> by.isNot(null);
            case BETWEEN -> given -> Condition.and(by.compare(GE, given.next()), by.compare(LE, given.next()));
            case LESS_THAN, BEFORE -> given -> by.compare(LT, given.next());
            case LESS_THAN_EQUAL -> given -> by.compare(LE, given.next());
            case GREATER_THAN, AFTER -> given -> by.compare(GT, given.next());
            case GREATER_THAN_EQUAL -> given -> by.compare(GE, given.next());
            case IN -> given -> by.in(given.next());
            case NOT_IN -> given -> Condition.not(by.in(given.next()));
            case STARTING_WITH -> given -> by.startsWith(given.next());
            default -> throw StoredRecords.refused("the store has no such condition", part.getType());
        };
    }

    @Override
    public QueryMethod getQueryMethod() {
        return method;
    }

    @Override
    public @Nullable Object execute(Object[] arguments) {
        ParametersParameterAccessor given = new ParametersParameterAccessor(method.getParameters(), arguments);
        return method.getResultProcessor().withDynamicProjection(given).processResult(answer(given));
    }

    private @Nullable Object answer(ParametersParameterAccessor given) {
        Iterator<Object> values = given.iterator();
        Condition found = tree.hasPredicate()
                ? new Condition.Or(where.stream().map(all -> all(all, values)).toList())
                : Condition.all();
        Sort sort = tree.getSort().and(given.getSort());
        if (tree.isCountProjection()) {
            return records.count(found);
        }
        if (tree.isExistsProjection()) {
            return !records.find(found, Sort.unsorted(), 1).isEmpty();
        }
        if (tree.isDelete()) {
            List<T> deleted = records.delete(found, sort, limit(given));
            return method.isCollectionQuery() ? deleted : deleted.size();
        }
        if (method.isScrollQuery()) {
            ScrollPosition from = Objects.requireNonNullElse(given.getScrollPosition(), ScrollPosition.keyset());
            return records.scroll(found, from, sort, limit(given));
        }
        Pageable page = given.getPageable();
        Pageable sorted = page.isPaged()
                ? PageRequest.of(page.getPageNumber(), page.getPageSize(), sort)
                : Pageable.unpaged(sort);
        if (method.isPageQuery()) {
            return records.page(found, sorted);
        }
        if (method.isSliceQuery()) {
            return records.slice(found, sorted);
        }
        if (method.getParameters().hasPageableParameter()) {
            return shaped(method, records.slice(found, sorted).getContent());
        }
        // A second record tells that the result is not the only one.
        boolean one = !method.isCollectionQuery() && !method.isStreamQuery();
        return shaped(method, records.find(found, sort, one ? Math.min(2, limit(given)) : limit(given)));
    }

    private static Condition all(List<Function<Iterator<Object>, Condition>> parts, Iterator<Object> values) {
        return new Condition.And(parts.stream().map(part -> part.apply(values)).toList());
    }

    /** Records in the form that a method returns them in: a list, a stream, or the only one. */
    static @Nullable Object shaped(QueryMethod method, List<?> found) {
        if (method.isCollectionQuery()) {
            return found;
        }
        if (method.isStreamQuery()) {
            return found.stream();
        }
        if (found.size() > 1) {
            throw new IncorrectResultSizeDataAccessException(1, found.size());
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The limit of the name or the parameter. */
    private int limit(ParametersParameterAccessor given) {
        return Stream.of(tree.getResultLimit(), given.getLimit())
                .filter(Limit::isLimited)
                .mapToInt(Limit::max)
                .min()
                .orElse(StoredRecords.ALL);
    }
}
