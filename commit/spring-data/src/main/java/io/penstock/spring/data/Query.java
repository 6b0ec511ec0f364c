package io.penstock.spring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.data.annotation.QueryAnnotation;

/**
 * The SQL that a method of a repository reads by, in the thread's transaction. It needs {@code penstock-sql}, and a
 * bean {@code PenstockSql} where it joins collections. Parameters are {@code ?}, {@code ?1} or {@code :name}; a list of
 * values stands in {@code in (:name)}. The result is the entity, whose key the SQL selects, a record or an interface
 * with the names of columns, or the value of the first column.
 */
@Documented
@QueryAnnotation
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Query {
    String value();
}
