/** HTTP sessions of Spring Session in a store. */
@org.jspecify.annotations.NullMarked
package io.penstock.spring.session;
