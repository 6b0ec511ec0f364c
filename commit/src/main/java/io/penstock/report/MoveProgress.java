package io.penstock.report;

/**
 * The progress of a move of a collection into a domain or out of it.
 *
 * @param step the present step, in words
 * @param left messages or pages of this step, as far as that is known
 */
public record MoveProgress(String step, long left) {}
