package io.penstock.commit.index;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;

/**
 * The components of a record class of the program, in order: taken from a record, and made into one. Safe for use by
 * many threads.
 */
public final class RecordParts<R extends Record> {
    private final List<RecordComponent> components;
    private final Constructor<R> constructor;

    private RecordParts(List<RecordComponent> components, Constructor<R> constructor) {
        this.components = components;
        this.constructor = constructor;
    }

    /** @throws InvalidRequestException when it has no component, or is not accessible */
    public static <R extends Record> RecordParts<R> of(Class<R> type) {
        List<RecordComponent> components = List.of(type.getRecordComponents());
        if (components.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE, "a key needs a part, and this record has none", "type", type.getName());
        }
        Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            components.forEach(component -> component.getAccessor().setAccessible(true));
            return new RecordParts<>(components, constructor);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a record of keys is not accessible; open its package to io.penstock",
                    "type",
                    type.getName());
        }
    }

    public List<RecordComponent> components() {
        return components;
    }

    /** The parts of a record. */
    public Object[] take(R whole) {
        return components.stream().map(component -> part(whole, component)).toArray();
    }

    private Object part(R whole, RecordComponent component) {
        Object part = call(() -> component.getAccessor().invoke(whole));
        if (part == null) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a part of a key is null; keys have all their parts",
                    "part",
                    component.getName());
        }
        return part;
    }

    /** The record of these parts. Throws what its constructor throws. */
    public R make(Object[] parts) {
        return call(() -> constructor.newInstance(parts));
    }

    private interface Reflective<T> {
        T run() throws ReflectiveOperationException;
    }

    private static <T> T call(Reflective<T> work) {
        try {
            return work.run();
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException ofTheRecord) {
                throw ofTheRecord;
            }
            throw new IllegalStateException("a record of keys threw", thrown.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a record was accessible, and is no more", impossible);
        }
    }
}
