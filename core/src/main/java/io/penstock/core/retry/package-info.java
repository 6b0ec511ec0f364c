/** Repeating calls that failed for the moment: how often, after how long, and when not. */
package io.penstock.core.retry;
