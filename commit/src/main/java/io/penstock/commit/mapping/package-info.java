/** The properties of classes of values, found by reflection. */
package io.penstock.commit.mapping;
