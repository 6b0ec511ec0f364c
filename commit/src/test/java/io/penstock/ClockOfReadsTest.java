package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A write wins over what its transaction has read, by whatever call, though its writer's clock is ahead. */
class ClockOfReadsTest {
    private static final Duration AHEAD = Duration.ofMinutes(2);

    /** A way to read {@code k}. */
    private interface Way {
        void read(Transaction transaction, RecordCollection<String, String> words);
    }

    private static final Map<String, Way> WAYS = Map.of(
            "get", (tx, words) -> tx.get(words, "k"),
            "get of the collection", (tx, words) -> words.get("k"),
            "getAll", (tx, words) -> tx.getAll(words, List.of("j", "k")),
            "scan", (tx, words) -> drain(tx.scan(words, KeySpan.all())),
            "scan backwards", (tx, words) -> drain(tx.scan(words, KeySpan.all().reversed())),
            "scan of the collection", (tx, words) -> drain(words.scan(KeySpan.all())));

    private static void drain(Scan<Entry<String, String>> scan) {
        try (scan) {
            while (scan.hasNext()) {
                scan.next();
            }
        }
    }

    private static void theLaterPutWins(boolean deleted) {
        WAYS.forEach((name, way) -> new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.machine("fast").skewClock(AHEAD);
            try (Penstock fast = cloud.open("fast");
                    Penstock slow = cloud.open("slow")) {
                words(fast).put("k", "first");
                if (deleted) {
                    words(fast).delete("k");
                }
                fast.admin().checkpoint();
                try (Transaction transaction = slow.begin()) {
                    way.read(transaction, words(slow));
                    transaction.put(words(slow), "k", "second");
                    transaction.commit();
                }
                slow.admin().checkpoint();
            }
            try (Penstock other = cloud.open("other")) {
                assertThat(words(other).get("k")).as(name).contains("second");
            }
        }));
    }

    @Test
    void aPutWinsOverTheValueThatWasRead() {
        theLaterPutWins(false);
    }

    /** To read nothing is to read the delete. */
    @Test
    void aPutWinsOverTheDeleteThatWasRead() {
        theLaterPutWins(true);
    }
}
