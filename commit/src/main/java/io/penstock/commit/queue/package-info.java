/** The queues of a store: their names, PU queues with their lock queues, leases. */
package io.penstock.commit.queue;
