/** Mistakes planted into copies of the production code, to see whether the simulation finds them. */
package io.penstock.commit.plants;
