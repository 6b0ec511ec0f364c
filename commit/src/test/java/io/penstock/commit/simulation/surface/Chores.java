package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import io.penstock.core.Compression;
import io.penstock.core.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What is done with a store beside its users' programs, one thing after another. */
final class Chores {
    private static final int[] PAGES = {512, 1024, 4096};

    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private boolean built;

    private record Chore(Feature feature, String method, Runnable work) {}

    Chores(Drawn drawn, Log log, SplittableRandom random) {
        this.drawn = drawn;
        this.log = log;
        this.random = random;
    }

    void next(Handle handle) {
        List<Chore> possible = new ArrayList<>();
        if (drawn.has(INDEX_ADDED)) {
            possible.add(new Chore(INDEX_ADDED, "RecordCollection.build()", () -> build(handle)));
        }
        possible.add(new Chore(CHECKPOINTS, "Penstock.checkpoint()", handle.store::checkpoint));
        possible.add(new Chore(CHECKPOINTS, "Penstock.checkpoint()", handle.store::checkpoint));
        possible.add(new Chore(COMPACTION, "Penstock.compact()", handle.store::compact));
        possible.add(new Chore(COMPACTION, "Penstock.gc(Duration)", () -> handle.store.gc(Duration.ZERO)));
        possible.add(new Chore(RECOVER, "Penstock.recover()", handle.store::recover));
        possible.add(new Chore(
                REPAGE,
                "RecordCollection.repage(int,Compression)",
                () -> handle.a.repage(PAGES[random.nextInt(PAGES.length)], Compression.NONE)));
        var index = handle.byGroup;
        if (index != null && (built || drawn.has(INDEX_MADE))) {
            possible.add(new Chore(SCRUB, "Index.scrub()", index::scrub));
        }
        possible.removeIf(chore -> !drawn.has(chore.feature) && chore.feature != CHECKPOINTS);
        Chore chore = possible.get(random.nextInt(possible.size()));
        log.calls.called(chore.method);
        log.say(handle, chore.method);
        try {
            chore.work.run();
        } catch (StoreException e) {
            log.say(handle, chore.method + " ends in " + e);
            log.unexpected(e, drawn);
        }
    }

    private void build(Handle handle) {
        handle.a.build();
        built = true;
    }
}
