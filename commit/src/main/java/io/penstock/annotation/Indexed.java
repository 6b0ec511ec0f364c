package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A property with an index of its own, by which records are found and ordered: of a type that a {@link Key} may have,
 * or an enum, which is ordered by name. Records where it is null are left out. In code: {@code RecordCollection.index}.
 *
 * <p>{@code @Indexed(with = "at") UUID user} is an index of both properties: by the user, and of one user by time. So
 * it gives the newest records of a user, page by page, without reading the others.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Indexed {
    /** The name of the index; empty: that of the property, or those of all, joined by a hyphen. */
    String value() default "";

    /** Further properties that the index orders by, after this one; nulls come last. */
    String[] with() default {};
}
