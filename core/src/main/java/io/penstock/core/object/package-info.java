/** The first SPI: an object store such as S3, reduced to what a store of pages needs. */
package io.penstock.core.object;
