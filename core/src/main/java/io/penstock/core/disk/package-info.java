/** Shared support for everything that keeps files in a directory of its own. */
package io.penstock.core.disk;
