/** Durable queues in one file: no server, one process. */
package io.penstock.core.queue.local;
