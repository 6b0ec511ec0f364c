package io.penstock.bench.experiment.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import java.time.Duration;

/**
 * The collections that writers write to, of one open store. Each transaction puts one record into both {@code left} and
 * {@code right}, one of a few that all writers share into both {@code sharedLeft} and {@code sharedRight}, and, if it
 * is a large one, many into {@code large}.
 *
 * @param byGroup of {@code left}
 */
record KillStore(
        RecordCollection<Pair<Long, Long>, Note> left,
        Index<Long, Pair<Long, Long>, Note> byGroup,
        RecordCollection<Pair<Long, Long>, Note> right,
        RecordCollection<Long, Note> sharedLeft,
        RecordCollection<Long, Note> sharedRight,
        RecordCollection<Pair<Pair<Long, Long>, Long>, Note> large) {
    /** Small, so that the trees split all the time. */
    private static final int PAGE_BYTES = 4 << 10;

    private static final int LARGE_PAGE_BYTES = 64 << 10;

    /** Longer than a writer that was killed takes to come back: it writes before anybody takes it for dead. */
    private static final Duration DEAD_AFTER = Duration.ofSeconds(15);

    /** Declares all collections; the first call creates them. */
    static KillStore open(Penstock store) {
        RecordCollection<Pair<Long, Long>, Note> left =
                store.collection("left", Keys.pair(Keys.longs(), Keys.longs()), notes());
        return new KillStore(
                left,
                left.index("by-group", Keys.longs(), Note::group),
                store.collection("right", Keys.pair(Keys.longs(), Keys.longs()), notes()),
                store.collection("shared-left", Keys.longs(), notes()),
                store.collection("shared-right", Keys.longs(), notes()),
                store.collection("large", Keys.pair(Keys.pair(Keys.longs(), Keys.longs()), Keys.longs()), notes()));
    }

    private static Json<Note> notes() {
        return Json.of(Note.class);
    }

    /** Creates all collections, with their page sizes. */
    static void make(Settings settings) {
        try (Penstock store = Penstock.open(settings.pageBytes(LARGE_PAGE_BYTES))) {
            store.collection("large", Keys.pair(Keys.pair(Keys.longs(), Keys.longs()), Keys.longs()), notes())
                    .get(new Pair<>(new Pair<>(0L, 0L), 0L));
        }
        try (Penstock store = Penstock.open(settings.pageBytes(PAGE_BYTES))) {
            KillStore made = open(store);
            made.left.get(new Pair<>(0L, 0L));
            made.right.get(new Pair<>(0L, 0L));
            made.sharedLeft.get(0L);
            made.sharedRight.get(0L);
        }
    }

    /** Everything that can be cut short happens often: forwarding, checkpoints, heartbeats, adoption of the dead. */
    static Settings tune(Settings settings, ConsistencyLevel level) {
        return settings.level(level)
                .pageBytes(PAGE_BYTES)
                .ttl(Duration.ofSeconds(2))
                .forwardInterval(Duration.ofMillis(200))
                .checkpointInterval(Duration.ofSeconds(1))
                .heartbeatInterval(Duration.ofSeconds(1))
                .deadAfter(DEAD_AFTER)
                .lease(Duration.ofSeconds(10));
    }
}
