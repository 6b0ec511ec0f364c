package io.penstock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The key of a record: a String, long, int, BigDecimal, Instant, UUID, Bytes, or a record of these ({@code
 * Keys.of}). Each class has one. In code: {@code RecordCollection.keyedBy}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Key {}
