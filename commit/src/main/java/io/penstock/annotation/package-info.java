/**
 * Annotations of the classes of values: they say by the class what a {@link io.penstock.RecordCollection} can be told
 * in code. {@code Penstock.collection(Class)} reads them, on the components of a record or the fields of a class.
 */
package io.penstock.annotation;
