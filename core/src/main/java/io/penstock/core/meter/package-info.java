/** What the servers were asked for, counted: the base of every statement about cost. */
package io.penstock.core.meter;
