/** Zstandard. The library is optional: nothing here is loaded before a page is to be compressed or decompressed. */
package io.penstock.core.compress.zstd;
