package io.penstock.bench.experiment.candidates;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one object of a commit log.
 *
 * @param writer that put it, so that a client knows its own again
 * @param committed in this order
 * @param refused ids of transactions that were looked at and have a conflict
 */
record Segment(int number, int writer, List<Intent> committed, List<Long> refused) {
    private static final int HEADER_BYTES = 16;

    Bytes encode() {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + Intent.BYTES * committed.size() + Long.BYTES * refused.size());
        out.putInt(number).putInt(writer).putInt(committed.size()).putInt(refused.size());
        refused.forEach(out::putLong);
        Intents.write(out, committed);
        return Bytes.wrap(out.array());
    }

    static Segment decode(Bytes body) {
        ByteBuffer in = ByteBuffer.wrap(body.toArray());
        int number = in.getInt();
        int writer = in.getInt();
        int committed = in.getInt();
        List<Long> refused = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            refused.add(in.getLong());
        }
        return new Segment(number, writer, Intents.read(in, committed), refused);
    }
}
