/** The least rights that the clients of a store need, as IAM policies. */
package io.penstock.cli.access;
