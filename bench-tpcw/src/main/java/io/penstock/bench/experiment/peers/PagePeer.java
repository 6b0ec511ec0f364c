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

/** The work on one page of 1,000 records, without I/O. */
final class PagePeer implements PeerStore {
    private static final long PURGE_NOTHING = 0;

    private final List<PageImage> leaves = new ArrayList<>();
    private final List<List<RecordChange>> batches = new ArrayList<>();
    private final boolean arriving;

    private PagePeer(Records records, boolean arriving) {
        this.arriving = arriving;
        Bytes[] payloads = records.batchPayloads(Bytes[]::new, Bytes::wrap);
        for (int b = 0; b < Records.BATCHES; b++) {
            LeafEntries.Builder entries = LeafEntries.builder(null);
            List<RecordChange> changes = new ArrayList<>();
            for (int i = 0; i < Records.RUN; i++) {
                int at = records.batch(b) + i;
                Bytes key = Bytes.wrap(records.key(at));
                entries.put(key, Bytes.wrap(records.payload(at)), before(i));
                changes.add(new RecordChange.Put(key, payloads[i], Stamp.of(2, 0, new ClientId(2))));
            }
            PageHeader header = PageHeader.of(new PageId(new TreeId(1), b + 1), PageKind.LEAF, 0, 1, 1);
            leaves.add(entries.build().layout(header, 0, Records.RUN).encode());
            batches.add(changes);
        }
    }

    /** The stamp of a stored record: those that arrive differ, as the stamps of users do. */
    private Stamp before(int record) {
        return arriving
                ? Stamp.of(1_700_000_000_000L + record * 7919L % 3_600_000, 0, new ClientId(1 + record % 5))
                : Stamp.of(1, 0, new ClientId(1));
    }

    /** A page that arrives: 1,000 stored records are checked and made searchable. */
    static PagePeer arriving(Records records) {
        return new PagePeer(records, true);
    }

    /**
     * A page at a checkpoint: 1,000 log records, each newer than its record, are applied, and the new page is encoded,
     * its checksum included.
     */
    static PagePeer changing(Records records) {
        return new PagePeer(records, false);
    }

    @Override
    public Object apply(int batch) {
        PageImage leaf = leaves.get(batch);
        if (arriving) {
            return PageImage.decode(leaf.bytes(), leaf.id(), "pages/leaf");
        }
        ChangeApplier.Applied applied = ChangeApplier.apply(leaf, batches.get(batch), PURGE_NOTHING);
        if (applied.applied() != Records.RUN) {
            throw new IllegalStateException("not all log records were applied");
        }
        return applied.entries()
                .layout(leaf.header().next(2, 3), 0, applied.entries().count())
                .encode();
    }
}
