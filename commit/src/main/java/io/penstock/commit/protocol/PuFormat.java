package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.util.List;

/** The format of messages of a PU queue. Their log records are numbered when order counts. */
record PuFormat(ClientId client, boolean ordered, int itemsMax) implements MessageFormat<LogRecord> {
    @Override
    public int overheadBytesMax() {
        return PuMessage.overheadBytesMax();
    }

    @Override
    public int bytesMax(LogRecord record) {
        return PuMessage.recordBytesMax(record);
    }

    @Override
    public Bytes encode(long first, List<LogRecord> records) {
        return new PuMessage(client, ordered ? first : PuMessage.UNORDERED, records).encode();
    }
}
