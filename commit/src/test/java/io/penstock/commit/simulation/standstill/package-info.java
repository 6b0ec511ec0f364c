/** Simulations of chores on machines that stand still for weeks. */
package io.penstock.commit.simulation.standstill;
