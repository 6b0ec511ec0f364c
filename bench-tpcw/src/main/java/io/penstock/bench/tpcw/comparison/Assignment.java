package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsServers;

/**
 * What one client process has to do: the first line it reads. It carries no credentials; the process finds those where
 * the driver found them.
 *
 * @param prefix of the store
 * @param range which of the scenario's clients are its own
 */
record Assignment(AwsServers servers, String prefix, Scenario scenario, ConsistencyLevel level, Shoppers.Range range) {}
