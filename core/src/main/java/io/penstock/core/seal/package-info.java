/**
 * Encryption on the client: layers of the two SPIs that seal every object and message, and the keys that do it. Young:
 * a minor version may change it.
 */
package io.penstock.core.seal;
