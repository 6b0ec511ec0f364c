package io.penstock.core.object.memory;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectUpload;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** An upload whose parts are kept in memory until they are put together. Safe for use by many threads. */
public final class MemoryUpload implements ObjectUpload {
    private final int partBytes;
    private final Consumer<Bytes> put;
    private final Map<Integer, Bytes> sent = new ConcurrentHashMap<>();

    /** @param put takes the whole body */
    public MemoryUpload(int partBytes, Consumer<Bytes> put) {
        this.partBytes = partBytes;
        this.put = put;
    }

    @Override
    public void part(int number, Bytes part) {
        ObjectRules.checkPart(number, part, partBytes);
        sent.put(number, part.copy());
    }

    @Override
    public void complete(int parts) {
        int bytes = 0;
        for (int number = 1; number <= parts; number++) {
            Bytes part = sent.get(number);
            if (part == null) {
                throw new InvalidRequestException(
                        "the upload does not have this part; send it", "part", number, "parts", parts);
            }
            bytes = Math.addExact(bytes, part.length());
        }
        byte[] whole = new byte[bytes];
        int at = 0;
        for (int number = 1; number <= parts; number++) {
            Bytes part = sent.getOrDefault(number, Bytes.EMPTY);
            part.copyTo(whole, at);
            at += part.length();
        }
        put.accept(Bytes.wrap(whole));
    }

    @Override
    public void abort() {
        sent.clear();
    }
}
