package io.penstock.bench.experiment.peers;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of a checkpoint on one page: 1,000 log records, each newer than its record, applied to a leaf of 1,000
 * records, and the new page encoded, its checksum included. No I/O.
 */
final class LeafPeer implements PeerStore {
    private static final long PURGE_NOTHING = 0;

    private final List<PageImage> leaves = new ArrayList<>();
    private final List<List<RecordChange>> batches = new ArrayList<>();

    LeafPeer(Records records) {
        Bytes[][] keys = Forms.batchKeys(records, Bytes[][]::new, Bytes[]::new, Bytes::wrap);
        Bytes[] payloads = Forms.batchPayloads(records, Bytes[]::new, Bytes::wrap);
        Stamp before = Stamp.of(1, 0, new ClientId(1));
        Stamp after = Stamp.of(2, 0, new ClientId(2));
        for (int b = 0; b < keys.length; b++) {
            LeafEntries.Builder entries = LeafEntries.builder(null);
            List<RecordChange> changes = new ArrayList<>();
            for (int i = 0; i < keys[b].length; i++) {
                entries.put(keys[b][i], Bytes.wrap(records.payload(records.batch(b) + i)), before);
                changes.add(new RecordChange.Put(keys[b][i], payloads[i], after));
            }
            PageHeader header = PageHeader.of(new PageId(new TreeId(1), b + 1), PageKind.LEAF, 0, 1, 1);
            leaves.add(entries.build().layout(header, 0, keys[b].length).encode());
            batches.add(changes);
        }
    }

    @Override
    public Object apply(int batch) {
        PageImage leaf = leaves.get(batch);
        ChangeApplier.Applied applied = ChangeApplier.apply(leaf, batches.get(batch), PURGE_NOTHING);
        if (applied.applied() != Records.RUN) {
            throw new IllegalStateException("not all log records were applied");
        }
        return applied.entries()
                .layout(leaf.header().next(2, 3), 0, applied.entries().count())
                .encode();
    }

    @Override
    public int read(int draw) {
        throw new UnsupportedOperationException("there are pages, but no tree");
    }

    @Override
    public int scan(int draw) {
        throw new UnsupportedOperationException("there are pages, but no tree");
    }

    @Override
    public void close() {}
}
