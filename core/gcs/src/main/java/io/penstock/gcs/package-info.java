/**
 * An object store on Google Cloud Storage, by Google's client of its JSON API. Young: a minor version may change it.
 */
@NullMarked
package io.penstock.gcs;

import org.jspecify.annotations.NullMarked;
