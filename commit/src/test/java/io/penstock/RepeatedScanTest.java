package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.UnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scans that begin anew since the state that they were of is gone. */
class RepeatedScanTest {
    @Test
    void aScanThatCannotBeginAnewIsNotOver() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                Session session = store.newSession()) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            int[] opened = {0};
            Scan<String> scan = new RepeatedScan<>(session, words, reads -> switch (++opened[0]) {
                case 1 ->
                    new LateScan<>(() -> {
                        throw new ConflictException("the state is gone");
                    });
                case 2 -> throw new UnavailableException("the servers are away");
                default -> new LateScan<>(() -> List.of("a", "b"));
            });
            assertThatThrownBy(scan::hasNext).isInstanceOf(UnavailableException.class);
            assertThat(scan.stream()).containsExactly("a", "b");
        }
    }
}
