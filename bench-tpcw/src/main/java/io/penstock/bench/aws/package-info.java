/** A store's servers on AWS, or behind endpoints that speak its protocols, as programs of this module name them. */
@NullMarked
package io.penstock.bench.aws;

import org.jspecify.annotations.NullMarked;
