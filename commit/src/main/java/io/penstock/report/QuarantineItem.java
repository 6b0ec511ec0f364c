package io.penstock.report;

import java.time.Duration;

/**
 * An object that keeps what could not be applied: a message in quarantine, or parked log records.
 *
 * @param id names it to {@code Quarantine.show} and {@code apply}
 * @param collection that it is meant for; {@code unknown} when the catalog does not have it
 * @param place the damaged page, or the queue that the message came from
 * @param reason why it could not be applied
 * @param age since it was put there
 */
public record QuarantineItem(String id, String collection, String place, long bytes, String reason, Duration age) {}
