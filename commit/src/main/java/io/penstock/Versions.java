package io.penstock;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * The versions of a collection's records: a put is refused when its value is of another version than the record.
 *
 * @param of the version of a value, 0 when it is new
 * @param with copies a value with another version
 */
record Versions<V>(ToLongFunction<? super V> of, BiFunction<? super V, Long, ? extends V> with) {
    /** The value to store in place of a record: of the next version. */
    V next(String collection, Optional<V> stored, V value) {
        require(collection, stored, value);
        try {
            return with.apply(value, Math.addExact(of.applyAsLong(value), 1));
        } catch (ArithmeticException beyond) {
            throw new InvalidRequestException(
                    "the next version of a record does not fit its type; make it a long",
                    beyond,
                    "collection",
                    collection);
        }
    }

    /** A value with the version of the record that is there. */
    V asStored(Optional<V> stored, V value) {
        return with.apply(value, stored.map(of::applyAsLong).orElse(0L));
    }

    /** @throws ConflictException when the record has another version than a value */
    void require(String collection, Optional<V> stored, V value) {
        long found = stored.map(of::applyAsLong).orElse(0L);
        long given = of.applyAsLong(value);
        if (found != given) {
            throw new ConflictException(
                    ErrorCode.STALE_VERSION,
                    "the record has another version than the value, which was read before; read it again",
                    "collection",
                    collection,
                    "found",
                    found,
                    "given",
                    given);
        }
    }
}
