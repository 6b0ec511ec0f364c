package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A property with a unique index: no two records have the same value of it. The collection must be in a domain. In
 * code: {@code RecordCollection.index(…).unique()}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Unique {
    /** The name of the index; empty: that of the property. */
    String value() default "";
}
