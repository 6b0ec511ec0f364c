/** Compares the HTTP clients of the AWS SDK under the object store: MB/s, and where the client's CPU time goes. */
@NullMarked
package io.penstock.bench.experiment.http;

import org.jspecify.annotations.NullMarked;
