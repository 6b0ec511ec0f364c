package io.penstock.bench.experiment.candidates;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The form of transactions in objects and messages. */
final class Intents {
    private Intents() {}

    static Bytes encode(List<Intent> intents) {
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Intent.BYTES * intents.size());
        out.putInt(intents.size());
        write(out, intents);
        return Bytes.wrap(out.array());
    }

    static List<Intent> decode(Bytes body) {
        ByteBuffer in = ByteBuffer.wrap(body.toArray());
        return read(in, in.getInt());
    }

    static void write(ByteBuffer out, List<Intent> intents) {
        for (Intent intent : intents) {
            int start = out.position();
            out.putLong(intent.id()).putInt(intent.key()).putInt(intent.snapshot());
            out.position(start + Intent.BYTES);
        }
    }

    static List<Intent> read(ByteBuffer in, int count) {
        List<Intent> intents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int start = in.position();
            intents.add(new Intent(in.getLong(), in.getInt(), in.getInt()));
            in.position(start + Intent.BYTES);
        }
        return intents;
    }
}
