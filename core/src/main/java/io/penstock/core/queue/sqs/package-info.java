/** Queues on SQS, or on a server that speaks its protocol, by the AWS SDK for Java. */
package io.penstock.core.queue.sqs;
