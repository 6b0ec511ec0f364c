package io.penstock.commit;

public final class Session {
    public Transaction begin() {
        throw new UnsupportedOperationException();
    }

    public Transaction begin(ConsistencyLevel level) {
        throw new UnsupportedOperationException();
    }

    public <T> T transact(TransactionBody<T> body) {
        throw new UnsupportedOperationException();
    }

    public <T> T transact(ConsistencyLevel level, TransactionBody<T> body) {
        throw new UnsupportedOperationException();
    }
}
