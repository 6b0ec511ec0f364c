package io.penstock.commit.domain;

/**
 * A state of a domain: that after a segment of its log, at a time. Immutable.
 *
 * @param domain its name
 * @param position the number of the segment
 * @param writeId of the segment
 * @param time of the newest stamp up to there
 * @param millis the time by which records have expired, in milliseconds since 1970
 */
public record Moment(String domain, long position, long writeId, long time, long millis) {}
