/** Zstandard. The library is optional: nothing here is touched unless a page is to be compressed or is. */
package io.penstock.core.compress.zstd;
