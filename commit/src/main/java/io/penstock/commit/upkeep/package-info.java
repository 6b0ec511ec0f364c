/** Maintenance of a whole store: background work, an orderly end, verification, garbage collection, provisioning. */
package io.penstock.commit.upkeep;
