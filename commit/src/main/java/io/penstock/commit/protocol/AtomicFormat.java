package io.penstock.commit.protocol;

import io.penstock.commit.log.AtomicMessage;
import io.penstock.core.Bytes;
import java.util.List;

/** The format of messages of an ATOMIC queue, whose items are parts of transactions. */
record AtomicFormat(int itemsMax) implements MessageFormat<AtomicMessage.Part> {
    @Override
    public int overheadBytesMax() {
        return AtomicMessage.frameBytesMax();
    }

    @Override
    public int bytesMax(AtomicMessage.Part part) {
        return part.bytesMax();
    }

    @Override
    public Bytes encode(long first, List<AtomicMessage.Part> parts) {
        return new AtomicMessage(parts).encode();
    }
}
