/** IAM policies: the least rights of each kind of client. */
package io.penstock.cli.access;
