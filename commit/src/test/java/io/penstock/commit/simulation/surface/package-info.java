/** Programs over the whole public surface, drawn from a seed, and a model of all committed states that judges them. */
package io.penstock.commit.simulation.surface;
