/** Algorithms that make bytes smaller; each implementation and its library in a package of its own. */
package io.penstock.core.compress;
