/** The promises of the levels, one class for each, each checked on the evidence of a run. */
package io.penstock.commit.simulation.promise;
