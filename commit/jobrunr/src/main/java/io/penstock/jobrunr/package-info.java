/** Jobs of JobRunr in a store. Young: a minor version may change it. */
@org.jspecify.annotations.NullMarked
package io.penstock.jobrunr;
