/** The S3 and SQS servers of benchmarks: those of AWS, or endpoints that speak its protocols. */
@NullMarked
package io.penstock.bench.aws;

import org.jspecify.annotations.NullMarked;
