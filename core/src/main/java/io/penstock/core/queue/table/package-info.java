/** The state of one queue, of whichever cloud: its messages, their visibility, and the receivers that wait. */
package io.penstock.core.queue.table;
