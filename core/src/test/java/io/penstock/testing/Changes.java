package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;

/** Changes of a record, for tests that must hold for every kind. */
public final class Changes {
    private Changes() {}

    /** One change of each kind; fails when a new kind has no line here. */
    public static List<RecordChange> ofEachKind(Bytes key, Stamp stamp) {
        List<RecordChange> changes = new ArrayList<>();
        changes.add(new RecordChange.Put(key, Bytes.utf8("payload"), stamp));
        changes.add(new RecordChange.Delete(key, stamp));
        assertThat(changes.stream().<Class<?>>map(RecordChange::getClass))
                .as("one change of each kind")
                .containsExactlyInAnyOrder(RecordChange.class.getPermittedSubclasses());
        return changes;
    }
}
