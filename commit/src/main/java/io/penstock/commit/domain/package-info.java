/**
 * The commit log of a domain: one total order of its strict transactions, as objects that are each put once. For the
 * protocol see {@code docs/decisions/0035-a-commit-log-for-strict-levels.md}.
 */
package io.penstock.commit.domain;
