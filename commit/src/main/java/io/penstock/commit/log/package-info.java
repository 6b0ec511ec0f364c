/**
 * Log records and the messages that carry them. Pure: bytes in, values out. For the formats see {@code
 * docs/FORMATS.md}.
 */
package io.penstock.commit.log;
