/** Text formats of records, for export and import. Young: a minor version may change it. */
package io.penstock.cli.transfer;
