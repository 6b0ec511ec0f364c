/** Short runs beside a simulation's main one, each for something that a bad hour of few clients does not show. */
package io.penstock.commit.simulation.episode;
