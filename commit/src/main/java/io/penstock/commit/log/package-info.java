/** Log records and the messages that carry them. Pure: bytes in, values out. Formats: {@code docs/FORMATS.md}. */
package io.penstock.commit.log;
