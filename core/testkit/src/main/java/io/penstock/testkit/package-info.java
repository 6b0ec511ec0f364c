/**
 * The simulated cloud: an object store and a queue service in memory, in virtual time, driven by one seed.
 *
 * <p>{@link io.penstock.testkit.Simulation} runs ordinary blocking code, one actor at a time; every call of an SPI and
 * every wait is a point where another actor may continue. {@link io.penstock.testkit.SimulatedCloud} holds the servers
 * that the actors share; {@link io.penstock.testkit.Profile} gives the latency and the prices of its calls. A run is a
 * pure function of its seed.
 */
package io.penstock.testkit;
