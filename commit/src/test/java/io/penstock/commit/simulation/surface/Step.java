package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One thing that a program does with records, in a transaction or outside. */
enum Step {
    GET(null, false, Acts::get),
    GET_ALL(MANY, false, Acts::getAll),
    OPEN(STREAMS, false, Acts::open),
    SCAN(null, false, Acts::scan),
    SCAN_PARTLY(PARTLY, false, Acts::scanPartly),
    SCAN_BY_PAGE(PAGES, false, Acts::scanByPage),
    SCAN_INDEX(BY_INDEX, false, Acts::scanIndex),
    SCAN_SEARCH_KEY(BY_INDEX, false, Acts::scanSearchKey),
    SCAN_COVERING(COVERING, false, Acts::scanCovering),
    COUNT(COUNTERS, false, Acts::count),
    PUT(null, true, Acts::put),
    PUT_AGAIN(null, true, Acts::putAgain),
    PUT_FOR_A_WHILE(EXPIRY, true, Acts::putForAWhile),
    PUT_STREAM(STREAMS, true, Acts::putStream),
    DELETE(DELETES, true, Acts::delete),
    UPDATE(CONDITIONS, true, Acts::update),
    PUT_IF_ABSENT(CONDITIONS, true, Acts::putIfAbsent),
    REPLACE(CONDITIONS, true, Acts::replace),
    DELETE_RANGE(RANGES, true, Acts::deleteRange),
    INCREMENT(COUNTERS, true, Acts::increment);

    /** What a step does: to an attempt, by a way. */
    interface Act {
        void run(Acts acts);
    }

    private final @Nullable Feature needs;
    final boolean writes;
    private final Act act;

    Step(@Nullable Feature needs, boolean writes, Act act) {
        this.needs = needs;
        this.writes = writes;
        this.act = act;
    }

    /** Whether only collections have a method for it: each call is a transaction of its own, unless it joins one. */
    boolean isOfCollections() {
        return switch (this) {
            case UPDATE, PUT_IF_ABSENT, REPLACE, DELETE_RANGE, INCREMENT -> true;
            default -> false;
        };
    }

    static Step draw(Drawn drawn, Handle handle, boolean writes, boolean byCollection, SplittableRandom random) {
        List<Step> possible = new ArrayList<>();
        for (Step step : values()) {
            Feature needed = step.needs;
            boolean indexed = needed != BY_INDEX && needed != COVERING
                    || handle.byGroup != null && (needed != COVERING || handle.covering != null);
            if (step.writes == writes
                    && (byCollection || !step.isOfCollections())
                    && (needed == null || drawn.has(needed))
                    && indexed) {
                possible.add(step);
            }
        }
        return possible.get(random.nextInt(possible.size()));
    }

    void run(Acts acts) {
        act.run(acts);
    }
}
