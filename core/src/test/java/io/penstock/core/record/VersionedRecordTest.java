package io.penstock.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import org.junit.jupiter.api.Test;

class VersionedRecordTest {
    private static VersionedRecord of(int pageBytes, int from, int to) {
        byte[] page = new byte[pageBytes];
        page[from] = 7;
        return new VersionedRecord(Bytes.utf8("k"), Bytes.wrap(page).slice(from, to), new Stamp(1, new ClientId(1)));
    }

    @Test
    void aRecordDoesNotKeepALargePageInMemory() {
        VersionedRecord ofLarge = of(1 << 20, 100, 200);
        assertThat(ofLarge.apart()).isEqualTo(ofLarge);
        assertThat(ofLarge.apart().livePayload().array()).hasSize(100);
        VersionedRecord ofSmall = of(64 << 10, 100, 200);
        assertThat(ofSmall.apart()).isSameAs(ofSmall);
        VersionedRecord most = of(300 << 10, 0, 200 << 10);
        assertThat(most.apart()).isSameAs(most);
        VersionedRecord tombstone = new VersionedRecord(Bytes.utf8("k"), null, new Stamp(1, new ClientId(1)));
        assertThat(tombstone.apart()).isSameAs(tombstone);
    }
}
