/** The queues of a store: their names, the PU queues and lock queues, leases, and the quarantine. */
package io.penstock.commit.queue;
