package io.penstock.commit.backup;

import io.penstock.commit.domain.LogReader;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Consecutive transactions of a domain's log. */
record LogPart(List<Transaction> transactions) {
    private static final int KIND = 'J';

    /**
     * A transaction.
     *
     * @param position the number of its segment
     */
    record Transaction(long position, List<LogRecord> records) {
        static Transaction of(LogReader.Read read) {
            LogReader.Place after = read.after();
            return new Transaction(after.taken() > 0 ? after.segment() + 1 : after.segment(), read.records());
        }

        long millis() {
            return records.getFirst().change().stamp().millis();
        }
    }

    /** Encodes it as {@code varint(count) (varint position | run of log records)*} after a frame. */
    Bytes encode() {
        WireWriter out = new WireWriter(1 << 16).varint(transactions.size());
        for (Transaction one : transactions) {
            out.varint(one.position);
            LogRecordCodec.write(out, one.records);
        }
        return Frame.wrap(KIND, out.toBytes());
    }

    static LogPart decode(Bytes body) {
        WireReader in = Frame.unwrap(KIND, body, "a backup");
        List<Transaction> transactions = new ArrayList<>();
        for (int left = in.count(2); left > 0; left--) {
            transactions.add(new Transaction(in.varint(), LogRecordCodec.read(in)));
        }
        in.end();
        return new LogPart(transactions);
    }
}
