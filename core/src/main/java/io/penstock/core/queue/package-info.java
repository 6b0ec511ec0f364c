/** The second SPI: a queue service such as SQS, with standard (unordered, at least once) queues. */
package io.penstock.core.queue;
