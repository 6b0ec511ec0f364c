/** What the levels promise, one class for each promise, each fed from what a run has shown. */
package io.penstock.commit.simulation.promise;
