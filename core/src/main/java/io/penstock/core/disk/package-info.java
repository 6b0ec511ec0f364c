/** What all that keeps files of its own in a directory stands on. */
package io.penstock.core.disk;
