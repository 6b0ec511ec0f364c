package io.penstock.commit.mapping;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A property of a class of values: a component of a record, or a field of another class. Safe for use by many threads.
 */
public final class Property {
    private final Class<?> of;
    private final String name;
    private final Class<?> type;
    private final AnnotatedElement annotated;
    private final Access access;

    /** A way to the property of a value. */
    private interface Access {
        @Nullable
        Object get(Object value) throws ReflectiveOperationException;
    }

    private Property(Class<?> of, String name, Class<?> type, AnnotatedElement annotated, Access access) {
        this.of = of;
        this.name = name;
        this.type = type;
        this.annotated = annotated;
        this.access = access;
    }

    /**
     * The properties of a class in their order: the components of a record, or the fields that are neither static nor
     * transient, those of superclasses first.
     *
     * @throws InvalidRequestException when the class is not accessible
     */
    public static List<Property> of(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> component(type, component))
                    .toList();
        }
        Deque<Class<?>> line = new ArrayDeque<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            line.addFirst(each);
        }
        List<Property> properties = new ArrayList<>();
        for (Class<?> each : line) {
            for (Field field : each.getDeclaredFields()) {
                int left = Modifier.STATIC | Modifier.TRANSIENT;
                if ((field.getModifiers() & left) == 0 && !field.isSynthetic()) {
                    open(type, field);
                    properties.add(new Property(type, field.getName(), field.getType(), field, field::get));
                }
            }
        }
        return List.copyOf(properties);
    }

    private static Property component(Class<?> type, RecordComponent component) {
        Method accessor = component.getAccessor();
        open(type, accessor);
        Field field = fieldOf(type, component);
        return new Property(type, component.getName(), component.getType(), field, accessor::invoke);
    }

    /** The field of a component: an annotation for fields is on it. */
    private static Field fieldOf(Class<?> type, RecordComponent component) {
        try {
            return type.getDeclaredField(component.getName());
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException("a record without the field of its component", impossible);
        }
    }

    private static void open(Class<?> type, AccessibleObject part) {
        try {
            part.setAccessible(true);
        } catch (RuntimeException closed) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a class of values is not accessible; open its package to io.penstock",
                    "type",
                    type.getName());
        }
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** The class of its values, perhaps a primitive one. */
    public Class<?> type() {
        return type;
    }

    /** Its annotation of a kind. */
    public <A extends Annotation> Optional<A> annotation(Class<A> kind) {
        return Optional.ofNullable(annotated.getAnnotation(kind));
    }

    /** The property of a value. */
    public @Nullable Object get(Object value) {
        return reflective(() -> access.get(value));
    }

    /**
     * Returns a function that copies a value with another value of this property.
     *
     * @param copy copies a value of a class that is no record
     */
    public <V> BiFunction<V, Object, V> with(Class<V> values, UnaryOperator<V> copy) {
        if (values.isRecord()) {
            List<Property> properties = of(values);
            Function<Object[], V> make = maker(values);
            return (value, replaced) -> make.apply(properties.stream()
                    .map(each -> each.name.equals(name) ? replaced : each.get(value))
                    .toArray());
        }
        Field field = (Field) annotated;
        return (value, replaced) -> {
            V copied = copy.apply(value);
            boolean unused = reflective(() -> {
                field.set(copied, replaced);
                return true;
            });
            return copied;
        };
    }

    /** Returns a function that makes a record of its components in their order. It throws what the constructor does. */
    public static <V> Function<Object[], V> maker(Class<V> type) {
        Class<?>[] types = of(type).stream().map(Property::type).toArray(Class<?>[]::new);
        try {
            Constructor<V> constructor = type.getDeclaredConstructor(types);
            open(type, constructor);
            return parts -> reflective(() -> constructor.newInstance(parts));
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("a record without its canonical constructor", impossible);
        }
    }

    /** The class and the name, for messages. */
    @Override
    public String toString() {
        return of.getSimpleName() + "." + name;
    }

    private interface Reflective<T extends @Nullable Object> {
        T run() throws ReflectiveOperationException;
    }

    private static <T extends @Nullable Object> T reflective(Reflective<T> work) {
        try {
            return work.run();
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException ofTheValue) {
                throw ofTheValue;
            }
            throw new IllegalStateException("a value threw", thrown.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a class of values was accessible, and is no more", impossible);
        }
    }
}
