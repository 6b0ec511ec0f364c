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
import java.util.ArrayList;
import java.util.List;

/** The work on a page that arrives: 1,000 stored records checked and made searchable. No I/O. */
final class DecodePeer implements PeerStore {
    private final List<PageImage> leaves = new ArrayList<>();

    DecodePeer(Records records) {
        for (int b = 0; b < Records.BATCHES; b++) {
            LeafEntries.Builder entries = LeafEntries.builder(null);
            for (int i = 0; i < Records.RUN; i++) {
                int at = records.batch(b) + i;
                Stamp stamp = Stamp.of(1_700_000_000_000L + i * 7919L % 3_600_000, 0, new ClientId(1 + i % 5));
                entries.put(Bytes.wrap(records.key(at)), Bytes.wrap(records.payload(at)), stamp);
            }
            PageHeader header = PageHeader.of(new PageId(new TreeId(1), b + 1), PageKind.LEAF, 0, 1, 1);
            leaves.add(entries.build().layout(header, 0, Records.RUN).encode());
        }
    }

    @Override
    public Object apply(int batch) {
        PageImage leaf = leaves.get(batch);
        return PageImage.decode(leaf.bytes(), leaf.id(), "pages/leaf");
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
