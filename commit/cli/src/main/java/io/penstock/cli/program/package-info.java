/** The base of all command lines: how they are run, how mistakes are reported, and exit codes. */
package io.penstock.cli.program;
