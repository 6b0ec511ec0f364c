package io.penstock.cli.doctor;

import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Tries what a store expects of an object store, with objects in a folder of its own, which it removes. Objects of a
 * run that was killed are left to a garbage collection, as those of pings are.
 */
final class WriteProbes {
    private static final int ROUNDS = 4;
    private static final int RACERS = 8;
    private static final int OVERWRITES = 8;

    private final Place place;
    private final ObjectStore objects;
    private final String folder;

    WriteProbes(Place place) {
        this.place = place;
        this.objects = place.objects();
        this.folder = place.prefix() + "/clients/ping." + place.drawName() + "/";
    }

    List<Finding> run() {
        List<Finding> found = new ArrayList<>();
        try {
            found.add(Finding.of("put", this::put));
            if (!found.getFirst().isFailed() && !found.getFirst().isUnchecked()) {
                found.add(Finding.of("put if absent", this::ifAbsent));
                found.add(Finding.of("put if unchanged", this::ifVersion));
                found.add(Finding.of("conditional puts at once", this::race));
                found.add(Finding.of("reads after writes", this::reads));
                found.add(Finding.of("listing", this::listing));
                found.add(Finding.of("ranges", this::ranges));
                found.add(Finding.of("etags", this::etags));
                found.add(Finding.of("delete", this::delete));
            }
        } finally {
            found.add(Finding.of("probes", this::remove));
        }
        return found;
    }

    private static Bytes body(String text) {
        return Bytes.utf8("doctor " + text + "\n");
    }

    private ObjectProbe probe(String name) {
        return new ObjectProbe(objects, folder + name);
    }

    private Optional<ObjectVersion> version(ObjectProbe probe) {
        return objects.get(probe.key()).map(StoredObject::version);
    }

    private ObjectVersion put(ObjectProbe probe, String text) {
        return objects.put(probe.key(), body(text), WriteCondition.ALWAYS).version();
    }

    private Finding put() {
        ObjectVersion unused = put(probe("put"), "put");
        return Finding.ok("put", "an object was written in " + folder);
    }

    private Finding ifAbsent() {
        ObjectProbe probe = probe("absent");
        ObjectVersion first = objects.put(probe.key(), body("first"), WriteCondition.IF_ABSENT)
                .version();
        boolean kept = probe.refusesSecond(body("second")) && isAt(probe, first);
        return Judgement.promise(
                "put if absent", kept, "a second one is refused", "the server ignores If-None-Match and writes twice");
    }

    private boolean isAt(ObjectProbe probe, ObjectVersion version) {
        return version(probe).equals(Optional.of(version));
    }

    private Finding ifVersion() {
        ObjectProbe probe = probe("version");
        ObjectVersion first = put(probe, "first");
        boolean foreign = probe.refusesForeign(body("foreign")) && isAt(probe, first);
        boolean taken = probe.isPut(body("second"), WriteCondition.ifVersion(first));
        Optional<ObjectVersion> second = version(probe);
        boolean late = !probe.isPut(body("late"), WriteCondition.ifVersion(first))
                && version(probe).equals(second);
        objects.delete(probe.key());
        boolean gone = !probe.isPut(body("gone"), WriteCondition.ifVersion(second.orElse(first)))
                && version(probe).isEmpty();
        if (foreign && late && gone && !taken) {
            return Judgement.promise("put if unchanged", false, "", "the server refuses If-Match with the right ETag");
        }
        return Judgement.promise(
                "put if unchanged",
                foreign && late && gone,
                "it is refused with another ETag and after a delete, and taken with the right one",
                "the server ignores If-Match" + (foreign && late ? " after a delete" : ""));
    }

    /** A server that looks first and writes then heeds conditions as long as nobody else writes. */
    private Finding race() {
        List<Long> winners = LongStream.range(0, ROUNDS)
                .boxed()
                .flatMap(round -> {
                    ObjectProbe probe = probe("race" + round);
                    long made = race(probe, WriteCondition.IF_ABSENT);
                    ObjectVersion there = put(probe, "again");
                    return List.of(made, race(probe, WriteCondition.ifVersion(there))).stream();
                })
                .toList();
        return Judgement.race(winners);
    }

    private long race(ObjectProbe probe, WriteCondition condition) {
        List<Integer> racers = IntStream.range(0, RACERS).boxed().toList();
        return Parallel.map(place.tasks(), RACERS, racers, racer -> probe.isPut(body("racer " + racer), condition))
                .stream()
                .filter(won -> won)
                .count();
    }

    private Finding reads() {
        ObjectProbe probe = probe("reads");
        boolean shown =
                IntStream.range(0, OVERWRITES).allMatch(i -> probe.showsLast(body("read " + i), WriteCondition.ALWAYS));
        objects.delete(probe.key());
        return Judgement.promise(
                "reads after writes",
                shown && version(probe).isEmpty(),
                "reads show the last write and the last delete",
                "a read did not show the write before it");
    }

    private Finding listing() {
        List<String> keys = List.of(folder + "list/a", folder + "list/b", folder + "list/c");
        keys.forEach(key -> put(new ObjectProbe(objects, key), key));
        Listing first = objects.list(folder + "list/", "", 2);
        Listing second = objects.list(folder + "list/", keys.get(1), 2);
        objects.delete(keys.getFirst());
        boolean whole = keys(first).equals(keys.subList(0, 2))
                && first.more()
                && keys(second).equals(keys.subList(2, 3))
                && !second.more()
                && keys(objects.list(folder + "list/", "", 3)).equals(keys.subList(1, 3));
        return Judgement.promise(
                "listing",
                whole,
                "pages join, and show what was written and deleted",
                "a listing left out or repeated what was written or deleted");
    }

    private static List<String> keys(Listing listing) {
        return listing.entries().stream().map(Listing.Entry::key).toList();
    }

    private Finding ranges() {
        ObjectProbe probe = probe("range");
        Bytes whole = Bytes.utf8("0123456789".repeat(100));
        ObjectVersion written =
                objects.put(probe.key(), whole, WriteCondition.ALWAYS).version();
        Optional<StoredObject> part = objects.getRange(probe.key(), 123, 45);
        Optional<StoredObject> beyond = objects.getRange(probe.key(), whole.length(), 5);
        boolean right = part.map(StoredObject::body).equals(Optional.of(whole.slice(123, 168)))
                && part.map(StoredObject::version).equals(Optional.of(written))
                && beyond.map(StoredObject::body).equals(Optional.of(Bytes.EMPTY));
        return Judgement.promise("ranges", right, "a range is what was asked for", "a range is not what was asked for");
    }

    private Finding etags() {
        ObjectProbe probe = probe("etag");
        ObjectVersion written = put(probe, "etag");
        boolean listed = objects.list(probe.key(), "", 1).entries().stream()
                .allMatch(entry -> entry.version().equals(written));
        if (!listed || !isAt(probe, written)) {
            return Judgement.promise("etags", false, "", "put, get and list tell different ETags of one object");
        }
        return objects.getIfChanged(probe.key(), written) instanceof Refreshed.Unchanged
                ? Finding.ok("etags", "put, get and list tell the same; an unchanged object is not sent again")
                : Finding.warning("etags", "unchanged objects are sent again, which costs bytes; see If-None-Match");
    }

    private Finding delete() {
        objects.delete(folder + "missing");
        objects.delete(probe("put").key());
        return Judgement.promise(
                "delete",
                version(probe("put")).isEmpty(),
                "deleted objects are gone, and missing ones no matter",
                "a deleted object is still there");
    }

    private Finding remove() {
        List<Listing.Entry> left = ObjectStores.listAll(objects, folder);
        objects.deleteAll(left.stream().map(Listing.Entry::key).toList());
        boolean gone = objects.list(folder, "", 1).entries().isEmpty();
        return gone
                ? Finding.ok("probes", "their objects are removed")
                : Finding.warning("probes", "objects are left in " + folder + "; remove them");
    }
}
