/** One client among many: its clock, its heartbeat, and who else is alive. */
package io.penstock.commit.client;
