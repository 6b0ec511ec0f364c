/** Anomalies of isolation in histories: our own search for cycles, and an export for Elle. */
package io.penstock.commit.simulation.anomaly;
