package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsServers;

/**
 * The assignment of a client process, the first line that it reads. It carries no credentials; the process finds them
 * where the driver did.
 *
 * @param prefix of the store
 * @param range which of the scenario's clients are its own
 */
record Assignment(AwsServers servers, String prefix, Scenario scenario, ConsistencyLevel level, Shoppers.Range range) {}
