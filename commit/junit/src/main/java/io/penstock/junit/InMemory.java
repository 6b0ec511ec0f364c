package io.penstock.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A store in memory, fresh for each test and closed after it: on a parameter of a test or of its {@code @BeforeEach}
 * and {@code @AfterEach} methods, or on a field of the test's class.
 *
 * <pre>{@code
 * @Test
 * void sells(@InMemory Penstock store) { ... }
 * }</pre>
 *
 * <p>All of one test are the same store. {@link io.penstock.Settings} instead of a {@link io.penstock.Penstock} open
 * further clients of it, as if each were in a process of its own; the test closes those.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
@ExtendWith(PenstockExtension.class)
public @interface InMemory {}
