/** Repeated attempts at calls that failed for the moment: how many, how far apart, and when none. */
package io.penstock.core.retry;
