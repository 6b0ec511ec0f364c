/** Models of ways to order the commits of many clients, to choose the protocol of the strict levels by figures. */
package io.penstock.bench.experiment.candidates;
