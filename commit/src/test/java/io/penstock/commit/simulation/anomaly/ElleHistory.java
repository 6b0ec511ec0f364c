package io.penstock.commit.simulation.anomaly;

import io.penstock.commit.simulation.History;
import io.penstock.core.InvalidRequestException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A history in the format of Elle (Kingsbury and Alvaro, VLDB 2020): a JSON array of operations, each begun ("invoke")
 * and ended ("ok", "fail", or "info" when the outcome is unknown). Lists for list-append, unique numbers for read-write
 * registers.
 */
public final class ElleHistory {
    private final boolean lists;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> processes = new HashMap<>();
    private int nextProcess;

    /** One line of the file; {@code end} orders the ends of operations before the beginnings of later ones. */
    private record Event(long nanos, int order, String process, String type, String value) {}

    private ElleHistory(boolean lists) {
        this.lists = lists;
    }

    /** @param lists whether values are lists of numbers that grow by one element at a time */
    public static String json(History history, boolean lists) {
        return new ElleHistory(lists).write(history);
    }

    private String write(History history) {
        List<Event> events = new ArrayList<>();
        for (History.Transaction transaction : history.transactions()) {
            if (transaction.session.equals(History.VERIFIER)) {
                continue; // of a key that no other operation reads or writes, and no list
            }
            if (transaction.writes.containsValue(null)) {
                throw new InvalidRequestException(
                        "the workload deletes records, for which Elle has no word; choose another with --workload");
            }
            // By Elle's rules a process that does not know how its operation ended never acts again: another process
            // continues.
            String process = String.valueOf(processes.computeIfAbsent(transaction.session, s -> nextProcess++));
            String type = switch (transaction.outcome) {
                case ACKNOWLEDGED -> "ok";
                case FAILED -> "fail";
                case OPEN, UNKNOWN -> "info";
            };
            if (type.equals("info")) {
                processes.remove(transaction.session);
            }
            boolean ok = type.equals("ok");
            long end = Math.max(transaction.endNanos, transaction.beginNanos);
            events.add(new Event(transaction.beginNanos, 1, process, "invoke", operations(transaction, false)));
            events.add(new Event(end, 2, process, type, operations(transaction, ok)));
        }
        events.sort(Comparator.comparingLong(Event::nanos));
        List<String> lines = new ArrayList<>();
        for (Event event : events) {
            lines.add("{\"index\":" + lines.size() + ",\"time\":" + event.nanos + ",\"process\":" + event.process
                    + ",\"type\":\"" + event.type + "\",\"f\":\"txn\",\"value\":[" + event.value + "]}");
        }
        return lines.stream().collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private String operations(History.Transaction transaction, boolean seen) {
        List<String> operations = new ArrayList<>();
        for (History.Read read : transaction.reads) {
            operations.add("[\"r\",\"" + read.key() + "\"," + (seen ? value(read.value()) : "null") + "]");
        }
        transaction.writes.forEach((key, value) ->
                operations.add("[\"" + (lists ? "append" : "w") + "\",\"" + key + "\"," + written(value) + "]"));
        return String.join(",", operations);
    }

    private String value(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        return lists ? "[" + value + "]" : written(value);
    }

    /** The element that a list grew by, or a register's number. */
    private String written(@Nullable String value) {
        String text = String.valueOf(value);
        return lists
                ? text.substring(text.lastIndexOf(',') + 1)
                : String.valueOf(numbers.computeIfAbsent(text, v -> numbers.size() + 1));
    }
}
