package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.tpcw.figures.Tally;
import io.penstock.bench.tpcw.figures.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * The purchases of some clients, and their cost.
 *
 * @param transaction used while callers waited
 * @param checkpoint used apart from that, the closing drain included
 * @param notes what went wrong besides, one line each
 */
record Shift(Tally tally, Usage transaction, Usage checkpoint, List<String> notes) {
    static Shift together(List<Shift> shifts) {
        Tally tally = new Tally();
        Usage transaction = Usage.NONE;
        Usage checkpoint = Usage.NONE;
        List<String> notes = new ArrayList<>();
        for (Shift shift : shifts) {
            tally.add(shift.tally);
            transaction = transaction.plus(shift.transaction);
            checkpoint = checkpoint.plus(shift.checkpoint);
            notes.addAll(shift.notes);
        }
        return new Shift(tally, transaction, checkpoint, List.copyOf(notes));
    }
}
