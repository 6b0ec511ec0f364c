package io.penstock.spring.data;

import io.penstock.Entry;
import io.penstock.KeyCodec;
import io.penstock.Keys;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.annotation.Key;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.ValueField;
import io.penstock.spring.PenstockTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.domain.KeysetScrollPosition;
import org.springframework.data.domain.OffsetScrollPosition;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.core.support.AbstractEntityInformation;
import org.springframework.data.support.PageableExecutionUtils;
import org.springframework.data.util.AnnotationDetectionFieldCallback;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The records of an annotated class, as repositories read them. Safe for many threads. */
final class StoredRecords<T, K> {
    /** The most records that a page by its number may skip: each is read. */
    static final int OFFSET_MAX = 10_000;

    /** The limit of a list without one: no list has more records. */
    static final int ALL = Integer.MAX_VALUE;

    private final RecordCollection<K, T> collection;
    private final PenstockTemplate template;
    private final Keyed<T, K> keys;
    private final Map<String, Attribute<T>> attributes = new LinkedHashMap<>();

    /** The order by keys, if these have parts that are no fields. */
    private final @Nullable Comparator<T> byKey;

    /** The key of a value. */
    static final class Keyed<T, K> extends AbstractEntityInformation<T, K> {
        private final AnnotationDetectionFieldCallback key = new AnnotationDetectionFieldCallback(Key.class);

        Keyed(Class<T> type) {
            super(type);
            ReflectionUtils.doWithFields(type, key);
        }

        @Override
        public @Nullable K getId(T value) {
            return key.getValue(Objects.requireNonNull(value));
        }

        @Override
        @SuppressWarnings("unchecked") // the collection's keys are of this class
        public Class<K> getIdType() {
            return (Class<K>) ClassUtils.resolvePrimitiveIfNecessary(key.getRequiredType());
        }
    }

    StoredRecords(RecordCollection<K, T> collection, PenstockTemplate template, Class<T> type) {
        this.collection = collection;
        this.template = template;
        this.keys = new Keyed<>(type);
        Fields ofValue = Fields.ofClass(type);
        for (Field<?> field : collection.fields().all()) {
            Attribute<T> attribute = field instanceof KeyField<?> part && !part.isWhole()
                    ? ofKey(field)
                    : new Attribute<>(field.name(), field, ofValue.get(field.name(), type, field.type())::apply);
            attributes.put(attribute.path(), attribute);
        }
        this.byKey = attributes.keySet().containsAll(keyPaths(keys.getIdType(), keyName())) ? null : byKey(keys);
    }

    private static List<String> keyPaths(Class<?> type, String name) {
        return type.isRecord()
                ? Arrays.stream(type.getRecordComponents())
                        .map(part -> name + "." + part.getName())
                        .toList()
                : List.of(name);
    }

    @SuppressWarnings("unchecked") // the codec of a class takes its keys
    private static <T, K> @Nullable Comparator<T> byKey(Keyed<T, K> keys) {
        if (!keys.getIdType().isRecord()) {
            return null;
        }
        KeyCodec<K> codec = (KeyCodec<K>) (KeyCodec<?>) Keys.of(keys.getIdType().asSubclass(Record.class));
        return Comparator.comparing(value -> codec.encode(Objects.requireNonNull(keys.getId(value))));
    }

    private Attribute<T> ofKey(Field<?> part) {
        Class<K> type = keys.getIdType();
        ValueField<K, ?> field = Fields.ofClass(type).get(part.name(), type, part.type());
        return new Attribute<>(
                keyName() + "." + part.name(), part, value -> field.apply(Objects.requireNonNull(keys.getId(value))));
    }

    private String keyName() {
        return keys.key.getRequiredField().getName();
    }

    void requireKeys(Class<?> wanted) {
        if (!ClassUtils.isAssignable(wanted, keys.getIdType())) {
            throw refused("a repository's keys are of another class than @Key; correct the class", wanted.getName());
        }
    }

    Keyed<T, K> keys() {
        return keys;
    }

    RecordCollection<K, T> collection() {
        return collection;
    }

    PenstockTemplate template() {
        return template;
    }

    static InvalidDataAccessApiUsageException refused(String why, Object what) {
        return new InvalidDataAccessApiUsageException(why + ": " + what);
    }

    Attribute<T> attribute(String path) {
        Attribute<T> found = attributes.get(path);
        if (found == null) {
            throw refused("queries can ask for " + attributes.keySet() + ", and not for", path);
        }
        return found;
    }

    List<Attribute.By<T>> order(Sort sort) {
        return sort.stream().map(this::by).toList();
    }

    private Attribute.By<T> by(Sort.Order order) {
        if (order.isIgnoreCase() || order.getNullHandling() == Sort.NullHandling.NULLS_FIRST) {
            throw refused("an order is by values as they are, nulls last", order);
        }
        return new Attribute.By<>(attribute(order.getProperty()), order.isDescending());
    }

    /** The order of a list that is read page by page: in the end by the key, so that no two records are equal. */
    private List<Attribute.By<T>> total(Sort sort) {
        List<Attribute.By<T>> order = new ArrayList<>(order(sort));
        if (byKey != null) {
            return order;
        }
        keyPaths(keys.getIdType(), keyName()).stream()
                .map(path -> new Attribute.By<>(attribute(path), false))
                .filter(by ->
                        order.stream().noneMatch(other -> other.attribute().equals(by.attribute())))
                .forEach(order::add);
        return order;
    }

    List<T> find(Condition where, Sort sort, int limit) {
        return template.read(transaction -> list(transaction, where, order(sort), limit));
    }

    /** Removes the records that it finds, and returns them. */
    List<T> delete(Condition where, Sort sort, int limit) {
        return template.execute(transaction -> {
            List<T> found = list(transaction, where, order(sort), limit);
            found.forEach(value -> transaction.remove(collection, value));
            return found;
        });
    }

    long count(Condition where) {
        return template.read(transaction -> {
            try (Rows rows = transaction.query(collection, Query.where(where).count())) {
                return Objects.requireNonNull(rows.next().get(Query.COUNT));
            }
        });
    }

    Page<T> page(Condition where, Pageable page) {
        return template.read(transaction -> {
            List<T> found = excerpt(transaction, where, page, 0);
            return PageableExecutionUtils.getPage(found, page, () -> count(where));
        });
    }

    Slice<T> slice(Condition where, Pageable page) {
        return sliced(template.read(transaction -> excerpt(transaction, where, page, 1)), page);
    }

    /** @param found the records of a page, and one more if there is one */
    static <T> Slice<T> sliced(List<T> found, Pageable page) {
        boolean more = page.isPaged() && found.size() > page.getPageSize();
        return new SliceImpl<>(more ? found.subList(0, page.getPageSize()) : found, page, more);
    }

    private List<T> excerpt(Transaction transaction, Condition where, Pageable page, long more) {
        return page.isUnpaged()
                ? list(transaction, where, order(page.getSort()), ALL)
                : list(transaction, where, total(page.getSort()), page.getOffset(), page.getPageSize() + more);
    }

    Window<T> scroll(Condition where, ScrollPosition from, Sort sort, int limit) {
        if (byKey != null && !(from instanceof OffsetScrollPosition)) {
            throw refused(
                    "a key has parts that are no fields, or are named like a property; scroll by an offset", from);
        }
        List<Attribute.By<T>> order = total(sort);
        long skipped = from instanceof OffsetScrollPosition offset && !offset.isInitial() ? offset.getOffset() + 1 : 0;
        long wanted = limit + 1L;
        List<T> found = template.read(transaction -> from instanceof KeysetScrollPosition last && !last.isInitial()
                ? after(transaction, where, order, last, wanted)
                : list(transaction, where, order, skipped, wanted));
        boolean more = found.size() > limit;
        List<T> content = more ? found.subList(0, limit) : found;
        return from instanceof OffsetScrollPosition
                ? Window.from(content, OffsetScrollPosition.positionFunction(skipped), more)
                : Window.from(content, at -> position(order, content.get(at)), more);
    }

    private static <T> ScrollPosition position(List<Attribute.By<T>> order, T value) {
        Map<String, @Nullable Object> keys = new LinkedHashMap<>();
        order.forEach(by -> keys.put(by.path(), by.attribute().of().apply(value)));
        return ScrollPosition.forward(keys);
    }

    /** The records behind a position: at first those that equal it in all properties of the order but the last. */
    private List<T> after(
            Transaction transaction,
            Condition where,
            List<Attribute.By<T>> order,
            KeysetScrollPosition at,
            long limit) {
        Map<String, Object> last = at.getKeys();
        if (at.scrollsBackward() || !order.stream().allMatch(by -> last.containsKey(by.path()))) {
            throw refused("a window goes on forward, in the order that it began with; begin anew, and not from", at);
        }
        List<T> found = new ArrayList<>();
        for (int i = order.size() - 1; i >= 0 && found.size() < limit; i--) {
            List<Condition> all = new ArrayList<>(List.of(where));
            order.subList(0, i).forEach(by -> all.add(by.attribute().is(last.get(by.path()))));
            all.add(order.get(i).beyond(last.get(order.get(i).path())));
            found.addAll(
                    list(transaction, new Condition.And(all), order.subList(i, order.size()), limit - found.size()));
        }
        return found;
    }

    static long skipped(long records) {
        if (records > OFFSET_MAX) {
            throw refused("a page begins after " + OFFSET_MAX + " records at most; scroll on by a keyset", records);
        }
        return records;
    }

    /** Requires that rows of SQL have the keys as they are. */
    void requireKeysOfSql() {
        if (byKey != null) {
            throw refused(
                    "a key has parts that are no fields, or are named like a property; return columns, and no records",
                    keyName());
        }
        Class<K> type = keys.getIdType();
        boolean rounds = type.isRecord()
                ? Arrays.stream(type.getRecordComponents()).anyMatch(part -> part.getType() == Instant.class)
                : type == Instant.class;
        if (rounds) {
            throw refused("SQL rounds the instants of keys to milliseconds; return columns, and no records", keyName());
        }
    }

    /** The records whose keys some rows have, in their order. */
    List<T> ofKeys(Transaction transaction, List<SqlRow> rows) {
        requireKeysOfSql();
        List<K> wanted = rows.stream().map(this::key).toList();
        Map<K, T> found = transaction.getAll(collection, wanted);
        // Reads that are not of one state may be of before and after a delete.
        if (!found.keySet().containsAll(wanted) && collection.level().isolates()) {
            throw refused("a row of SQL has a key that no record has; select the key as it is", keyName());
        }
        return wanted.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    private K key(SqlRow row) {
        Class<K> type = keys.getIdType();
        return type.isRecord() ? row.record(type) : Objects.requireNonNull(row.value(keyName(), type));
    }

    private List<T> list(
            Transaction transaction, Condition where, List<Attribute.By<T>> order, long skipped, long limit) {
        List<T> found = list(transaction, where, order, byKey, skipped(skipped) + limit);
        return found.subList((int) Math.min(skipped, found.size()), found.size());
    }

    private List<T> list(Transaction transaction, Condition where, List<Attribute.By<T>> order, long limit) {
        return list(transaction, where, order, null, limit);
    }

    /** @param last the order of what is equal in the other; null for any */
    private List<T> list(
            Transaction transaction,
            Condition where,
            List<Attribute.By<T>> order,
            @Nullable Comparator<T> last,
            long limit) {
        Stream<Comparator<T>> all = Stream.concat(order.stream(), Stream.ofNullable(last));
        @Nullable Comparator<T> total = all.reduce(Comparator::thenComparing).orElse(null);
        boolean first = limit < ALL && !order.isEmpty();
        Condition bound = first ? upTo(transaction, where, order.getFirst(), limit) : Condition.all();
        List<T> found = sorted(transaction, Condition.and(where, bound), total, limit);
        // Below SNAPSHOT records may have gone beyond the bound since it was read.
        return found.size() >= limit || bound.equals(Condition.all())
                ? found
                : sorted(transaction, where, total, limit);
    }

    private List<T> sorted(Transaction transaction, Condition where, @Nullable Comparator<T> order, long limit) {
        try (Scan<Entry<K, T>> scan = transaction.find(collection, where)) {
            Stream<T> values = scan.stream().map(Entry::value);
            return (order == null ? values : values.sorted(order)).limit(limit).toList();
        }
    }

    /**
     * A condition that the first records of an order fulfil, and as few others as may be. An index or the keys in this
     * order tell it without reading further; equal records are put in order by the rest of it.
     */
    private Condition upTo(Transaction transaction, Condition where, Attribute.By<T> by, long limit) {
        Field<?> field = by.attribute().field();
        Condition present = field.isNullable() ? Condition.and(where, Condition.not(field.isNull())) : where;
        Query some = Query.where(present).select(field).limit(limit);
        try (Rows rows =
                transaction.query(collection, by.descending() ? some.orderByDescending(field) : some.orderBy(field))) {
            List<Object> first = rows.stream().map(row -> row.at(0)).toList();
            return first.size() < limit ? Condition.all() : by.upTo(first.getLast());
        }
    }
}
