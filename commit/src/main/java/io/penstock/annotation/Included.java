package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A property that entries of an index carry, so that a query by the index reads no records for it: of a type that
 * {@code Fields.ofClass} takes. The entries carry the indexed property, too. In code: {@code Index.including}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Included {
    /** The names of the indexes, those of this class. */
    String[] value();
}
