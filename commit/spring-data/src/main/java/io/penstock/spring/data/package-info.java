/** Repositories of Spring Data over collections of a store. */
@org.jspecify.annotations.NullMarked
package io.penstock.spring.data;
