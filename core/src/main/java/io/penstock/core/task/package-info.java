/**
 * Time, threads and chance, injected: the only door to a clock, a sleep, a thread or a random source. In production it
 * leads to virtual threads ({@link io.penstock.core.task.ThreadTasks}), in the simulation to one seed.
 */
package io.penstock.core.task;
