package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The format of messages of a PU queue. Their log records are numbered when order counts.
 *
 * @param after the predecessor that the first message names
 */
record PuFormat(ClientId client, boolean ordered, int itemsMax, PuMessage.@Nullable Predecessor after)
        implements MessageFormat<LogRecord> {
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
        return ordered
                ? new PuMessage(client, first, first == 1 ? after : null, records).encode()
                : new PuMessage(client, PuMessage.UNORDERED, records).encode();
    }
}
