package io.penstock.commit.simulation;

import io.penstock.core.StoreException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.Written;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The story of a run, call by call, in lines for people and for comparing runs. It may be off, to save time. */
final class CallLog implements CallWatcher {
    private static final double NANOS_PER_SECOND = 1e9;

    private final boolean told;
    private final List<String> lines = new ArrayList<>();

    private CallLog(boolean told) {
        this.told = told;
    }

    static CallLog told() {
        return new CallLog(true);
    }

    static CallLog untold() {
        return new CallLog(false);
    }

    boolean isTold() {
        return told;
    }

    List<String> lines() {
        return lines;
    }

    void say(SimulatedClient client, String text) {
        if (told) {
            lines.add(String.format(Locale.ROOT, "%14.6f s  %-10s %s", seconds(client), client.name(), text));
        }
    }

    private static double seconds(SimulatedClient client) {
        return (double) client.nanoTime() / NANOS_PER_SECOND;
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (!told) {
            return;
        }
        switch (step) {
            case BEGINS -> say(client, "  " + call + " " + on + " ...");
            case DONE -> say(client, "  " + call + " " + on + " -> " + describe(outcome));
            case LOST -> say(client, "  " + call + " " + on + " -> no answer");
        }
    }

    private static String describe(@Nullable Object outcome) {
        return switch (outcome) {
            case null -> "done";
            case StoreException refused -> refused.getClass().getSimpleName();
            case Optional<?> found -> found.map(CallLog::describe).orElse("none");
            case StoredObject object ->
                "version " + object.version() + ", " + object.body().length() + " bytes";
            case Refreshed.Changed changed -> describe(changed.object());
            case Refreshed refreshed -> refreshed.getClass().getSimpleName();
            case Written written -> "version " + written.version();
            case Listing listing ->
                listing.entries().stream().map(Listing.Entry::key).toList().toString();
            case MessageQueue queue -> "there";
            case Delivery delivery ->
                delivery.receipt() + " (" + delivery.body().length() + " bytes)";
            case Collection<?> many ->
                many.stream().map(CallLog::describe).toList().toString();
            default -> outcome.toString();
        };
    }
}
