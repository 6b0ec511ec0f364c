/** Counters of requests to the servers: the base of every statement about cost. */
package io.penstock.core.meter;
