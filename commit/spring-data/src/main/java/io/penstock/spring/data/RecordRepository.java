package io.penstock.spring.data;

import io.penstock.Transaction;
import io.penstock.query.Condition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.data.repository.ListPagingAndSortingRepository;

/** The methods that all repositories have; each is one transaction, or part of the thread's. Safe for many threads. */
final class RecordRepository<T, K> implements ListCrudRepository<T, K>, ListPagingAndSortingRepository<T, K> {
    private final StoredRecords<T, K> records;

    RecordRepository(StoredRecords<T, K> records) {
        this.records = records;
    }

    private void change(Consumer<Transaction> change) {
        records.template().execute(transaction -> {
            change.accept(transaction);
            return true;
        });
    }

    /** A copy of what may be read once only, for a body that may run again. */
    private static <E> List<E> copy(@Nullable Iterable<E> given) {
        List<E> copy = new ArrayList<>();
        if (given != null) {
            given.forEach(copy::add);
        }
        if (given == null || copy.stream().anyMatch(Objects::isNull)) {
            throw StoredRecords.refused("a repository takes no null; correct the call", copy);
        }
        return copy;
    }

    @Override
    public <S extends T> S save(S value) {
        return saveAll(Collections.singletonList(value)).getFirst();
    }

    @Override
    @SuppressWarnings("unchecked") // a put returns its value, or a copy of its class
    public <S extends T> List<S> saveAll(Iterable<S> values) {
        List<S> given = copy(values);
        return records.template()
                .execute(transaction -> given.stream()
                        .map(value -> (S) transaction.put(records.collection(), value))
                        .toList());
    }

    @Override
    public Optional<T> findById(K key) {
        return records.template().read(transaction -> transaction.get(records.collection(), key));
    }

    @Override
    public boolean existsById(K key) {
        return findById(key).isPresent();
    }

    @Override
    public List<T> findAll() {
        return findAll(Sort.unsorted());
    }

    @Override
    public List<T> findAll(Sort sort) {
        return records.find(Condition.all(), sort, StoredRecords.ALL);
    }

    @Override
    public Page<T> findAll(Pageable page) {
        return records.page(Condition.all(), page);
    }

    @Override
    public List<T> findAllById(Iterable<K> keys) {
        List<K> wanted = copy(keys);
        return List.copyOf(records.template()
                .read(transaction -> transaction.getAll(records.collection(), wanted))
                .values());
    }

    @Override
    public long count() {
        return records.count(Condition.all());
    }

    @Override
    public void deleteById(K key) {
        change(transaction -> transaction.delete(records.collection(), key));
    }

    @Override
    public void delete(T value) {
        deleteAll(Collections.singletonList(value));
    }

    @Override
    public void deleteAllById(Iterable<? extends K> keys) {
        List<? extends K> given = copy(keys);
        change(transaction -> given.forEach(key -> transaction.delete(records.collection(), key)));
    }

    @Override
    public void deleteAll(Iterable<? extends T> values) {
        List<? extends T> given = copy(values);
        change(transaction -> given.forEach(value -> transaction.remove(records.collection(), value)));
    }

    @Override
    public void deleteAll() {
        var unused = records.delete(Condition.all(), Sort.unsorted(), StoredRecords.ALL);
    }
}
