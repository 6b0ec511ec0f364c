/**
 * The sharing of a local cloud among processes of one machine: its owner answers requests on a Unix domain socket in
 * the directory, and others attach to that.
 */
@NullMarked
package io.penstock.core.local.shared;

import org.jspecify.annotations.NullMarked;
