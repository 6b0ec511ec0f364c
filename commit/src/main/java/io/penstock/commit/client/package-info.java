/** The view of one client among many: its clocks, its heartbeat, and the registry of clients. */
package io.penstock.commit.client;
