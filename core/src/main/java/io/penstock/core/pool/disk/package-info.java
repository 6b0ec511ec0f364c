/** The second level of the buffer pool on a local disk. The file format is in {@code docs/FORMATS.md}. */
package io.penstock.core.pool.disk;
