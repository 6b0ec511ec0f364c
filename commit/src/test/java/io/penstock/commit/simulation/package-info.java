/** Whole stores in bad weather, from one seed: users, crashes, and a check for each promise. */
package io.penstock.commit.simulation;
