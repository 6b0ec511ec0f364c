package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The version of a record, a long or int: 0 in a value that is new, and one more after each put. A put or removal of a
 * value whose record has another version is a {@link io.penstock.core.ConflictException} of code {@link
 * io.penstock.core.ErrorCode#STALE_VERSION}. The collection must be in a domain. In code: {@code
 * RecordCollection.versioned}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Version {}
