/**
 * The base of all command lines: how they are run, how mistakes are reported, and exit codes. Young: a minor version
 * may change it.
 */
package io.penstock.cli.program;
