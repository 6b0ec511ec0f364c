package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The collection of a class's values. Without it the collection has the simple name of the class, and the domain that
 * {@code RecordCollection.inDomain} says.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Stored {
    /** The name of the collection. */
    String value();

    /** The domain of the collection; empty: none is declared. See {@code RecordCollection.inDomain}. */
    String domain() default "";
}
