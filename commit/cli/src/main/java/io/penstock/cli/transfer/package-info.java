/** Text formats of records, for export and import. */
package io.penstock.cli.transfer;
