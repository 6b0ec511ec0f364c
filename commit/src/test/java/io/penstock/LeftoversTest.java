package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that put one key at the same time leave an index entry each; only the newest fits the record. */
class LeftoversTest {
    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static Index<String, String, String> byValue(RecordCollection<String, String> words) {
        return words.index("by-value", Keys.string(), value -> value);
    }

    @Test
    void aScanOfAnIndexWithLeftoversShowsEachRecordOnce() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            List<Penstock> racing = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                racing.add(Penstock.open(cloud.settings("racing-" + i).checkpointing(false)));
            }
            for (int i = 0; i < racing.size(); i++) {
                RecordCollection<String, String> words = words(racing.get(i));
                byValue(words);
                words.put("k", "value-" + i);
            }
            racing.forEach(Penstock::close);
            try (Penstock reader = cloud.open("reader")) {
                RecordCollection<String, String> words = words(reader);
                Index<String, String, String> index = byValue(words);
                reader.admin().checkpoint();
                List<String> found = new ArrayList<>();
                try (Scan<Entry<String, String>> scan = index.scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.add(entry.value()));
                }
                assertThat(found).isEqualTo(List.of("value-3"));
                assertThat(words.get("k")).contains("value-3");
            }
        });
    }
}
