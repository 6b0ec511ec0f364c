package io.penstock.spring;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Methods in transactions of each kind. */
class Ledger {
    private final Records<String, Long> numbers;
    private final PenstockTemplate store;

    Ledger(Records<String, Long> numbers, PenstockTemplate store) {
        this.numbers = numbers;
        this.store = store;
    }

    @Transactional
    public void move(String from, String to, long amount) {
        numbers.put(from, numbers.get(from).orElse(0L) - amount);
        numbers.put(to, numbers.get(to).orElse(0L) + amount);
        if (numbers.get(from).orElse(0L) < 0) {
            throw new IllegalStateException("not enough");
        }
    }

    /** Whether it could take one. */
    @Transactional(isolation = Isolation.SERIALIZABLE)
    public boolean takeOne(String key) {
        long left = numbers.get(key).orElse(0L);
        if (left == 0) {
            return false;
        }
        numbers.put(key, left - 1);
        return true;
    }

    @Transactional(readOnly = true)
    public long putWhereNothingMayBe(String key) {
        long before = numbers.get(key).orElse(-1L);
        numbers.put(key, 1L);
        return before;
    }

    @Transactional(readOnly = true)
    public long read(String key) {
        return numbers.get(key).orElse(-1L);
    }

    @Transactional(timeout = 1)
    public void putAfter(String key, Runnable pause) {
        numbers.put(key, 1L);
        pause.run();
    }

    @Transactional
    public void put(String key, Runnable within) {
        numbers.put(key, 1L);
        within.run();
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void putApart(String key, Runnable within) {
        numbers.put(key, 1L);
        within.run();
    }

    @Transactional(propagation = Propagation.NESTED)
    public void putNested(String key) {
        numbers.put(key, 1L);
    }

    @Transactional(isolation = Isolation.REPEATABLE_READ)
    public String levelOfRepeatableRead() {
        return store.execute(transaction -> transaction.level().name());
    }

    @Transactional(isolation = Isolation.READ_COMMITTED)
    public String levelOfReadCommitted() {
        return store.execute(transaction -> transaction.level().name());
    }

    @Transactional
    public String levelOfDefault() {
        return store.execute(transaction -> transaction.level().name());
    }
}
