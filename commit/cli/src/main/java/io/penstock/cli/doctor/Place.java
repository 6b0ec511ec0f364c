package io.penstock.cli.doctor;

import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The place of a store, opened: where one is, or could be made.
 *
 * @param queues empty for a store without queues
 * @param damage damage that the servers themselves have found, a line each
 */
public record Place(
        Tasks tasks, ObjectStore objects, Optional<QueueService> queues, String prefix, List<String> damage) {
    /** The settings of a store here; prefix and layout are the caller's to add. */
    public Settings settings() {
        return queues.map(there -> Settings.on(objects, there, tasks)).orElseGet(() -> Settings.on(objects, tasks));
    }

    /** Draws a name that nothing has. */
    String drawName() {
        return "doctor." + HexFormat.of().toHexDigits(tasks.random().nextLong());
    }
}
