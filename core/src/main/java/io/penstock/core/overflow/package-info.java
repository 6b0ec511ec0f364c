/** Payloads too large for a page: objects of their own, in checked blocks. */
package io.penstock.core.overflow;
