package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import java.util.ArrayList;
import java.util.List;

/** What was acknowledged, to anyone, before a transaction began, is seen by it: strictness in real time. */
public final class SeenOnceAcknowledged implements Promise {
    @Override
    public String name() {
        return "seen once acknowledged";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (History.Transaction reader : evidence.transactions()) {
            for (History.Read read : reader.reads) {
                for (History.Transaction writer : evidence.transactions()) {
                    if (writer.isAcknowledged()
                            && writer.endNanos < reader.beginNanos
                            && writer.writes.containsKey(read.key())) {
                        SessionReads.older(evidence, reader, read, writer.stamp).ifPresent(violations::add);
                    }
                }
            }
        }
        return violations;
    }
}
