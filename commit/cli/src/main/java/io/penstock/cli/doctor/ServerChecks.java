package io.penstock.cli.doctor;

import io.penstock.core.StoreException;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks the servers of a place for what can be read of them. */
record ServerChecks(Place place) {
    List<Finding> run() {
        List<Finding> found = new ArrayList<>();
        found.add(Finding.of(
                "object store",
                () -> timed("object store", () -> place.objects().get(identity()))));
        if (found.getFirst().isFailed()) {
            return found; // with the reason, which would be that of all others
        }
        found.add(Finding.of("clock", this::clock));
        found.add(Finding.of("list", () -> {
            int seen =
                    place.objects().list(place.prefix() + "/", "", 1).entries().size();
            return Finding.ok("list", seen == 0 ? "there is nothing under the prefix" : "objects are listed");
        }));
        place.queues().ifPresent(queues -> {
            // Names that every role may ask for.
            found.add(Finding.of(
                    "queue service", () -> timed("queue service", () -> queues.find(place.prefix() + "-pu-doctor"))));
            found.add(Finding.of("list queues", () -> listed(queues)));
        });
        if (place.objects() instanceof S3ObjectStore bucket) {
            found.addAll(Judgement.bucket(bucket.bucketSettings(), place.prefix()));
        }
        place.damage().forEach(line -> found.add(Finding.failed("directory", line + "; restore it from a backup")));
        return found;
    }

    private String identity() {
        return place.prefix() + "/store";
    }

    /**
     * Makes a request twice, and times the second one: the first opens the connection.
     *
     * @throws StoreException when it fails
     */
    private Finding timed(String check, Runnable request) {
        request.run();
        long begun = place.tasks().nanoTime();
        request.run();
        return Judgement.answered(check, Duration.ofNanos(place.tasks().nanoTime() - begun));
    }

    private Finding clock() {
        long before = place.tasks().nowMillis();
        TimedObject answer = place.objects().getTimed(identity());
        long after = place.tasks().nowMillis();
        // A server's time of whole seconds is, on average, half a second late; that does not matter here.
        return Judgement.clock(Duration.ofMillis(answer.serverMillis() - before - (after - before) / 2));
    }

    private Finding listed(QueueService queues) {
        return Finding.ok("list queues", queues.list(place.prefix() + "-").size() + " queues under the prefix");
    }
}
