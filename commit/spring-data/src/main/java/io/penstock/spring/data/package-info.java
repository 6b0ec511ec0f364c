/** Repositories of Spring Data over collections of a store. Young: a minor version may change it. */
@org.jspecify.annotations.NullMarked
package io.penstock.spring.data;
