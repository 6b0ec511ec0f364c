/** Penstock in a Spring Boot application: beans, transactions, sessions of users, health. */
@org.jspecify.annotations.NullMarked
package io.penstock.spring;
