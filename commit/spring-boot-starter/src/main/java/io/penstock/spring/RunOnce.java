package io.penstock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A {@code @Transactional} method, or all of a class, that is not run again after a conflict, since it has effects
 * outside of the store; nor are methods and bodies of {@link PenstockTemplate} that call it. Their caller gets {@link
 * org.springframework.dao.OptimisticLockingFailureException}. A body of {@code Penstock.transact} does run again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RunOnce {}
