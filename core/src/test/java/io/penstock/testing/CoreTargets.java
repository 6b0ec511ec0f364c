package io.penstock.testing;

import io.penstock.core.object.local.LocalObjectTargets;
import io.penstock.core.overflow.OverflowTargets;
import io.penstock.core.page.PageTargets;
import io.penstock.core.pool.disk.TierTargets;
import io.penstock.core.queue.local.LocalQueueTargets;
import io.penstock.core.queue.sqs.SqsTargets;
import java.util.List;
import java.util.stream.Stream;

/** All decoders of the core. */
public final class CoreTargets {
    private CoreTargets() {}

    public static List<FuzzTarget> all() {
        return Stream.of(
                        PageTargets.all(),
                        TierTargets.all(),
                        OverflowTargets.all(),
                        LocalObjectTargets.all(),
                        LocalQueueTargets.all(),
                        SqsTargets.all())
                .flatMap(List::stream)
                .toList();
    }
}
