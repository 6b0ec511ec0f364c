package io.penstock.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import org.junit.jupiter.api.Test;

class RecordChangeTest {
    private static RecordChange of(int pageBytes, int from, int to) {
        byte[] page = new byte[pageBytes];
        page[from] = 7;
        return new RecordChange.Put(Bytes.utf8("k"), Bytes.wrap(page).slice(from, to), new Stamp(1, new ClientId(1)));
    }

    @Test
    void aRecordDoesNotKeepALargePageInMemory() {
        RecordChange ofLarge = of(1 << 20, 100, 200);
        assertThat(ofLarge.apart()).isEqualTo(ofLarge);
        assertThat(ofLarge.apart().livePayload().array()).hasSize(100);
        RecordChange ofSmall = of(64 << 10, 100, 200);
        assertThat(ofSmall.apart()).isSameAs(ofSmall);
        RecordChange most = of(300 << 10, 0, 200 << 10);
        assertThat(most.apart()).isSameAs(most);
        RecordChange tombstone = new RecordChange.Delete(Bytes.utf8("k"), new Stamp(1, new ClientId(1)));
        assertThat(tombstone.apart()).isSameAs(tombstone);
    }
}
