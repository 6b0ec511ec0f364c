/** A web application with a store: todos, users, and a shop, on Spring Boot. What its tests count as glue is marked. */
@org.jspecify.annotations.NullMarked
package io.penstock.examples.shop;
