package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.UnavailableException;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scans that throw and are gone on with: each record comes once, but those that the failure was of. */
class BrokenOffScanTest {
    private record Word(String by, String text) {}

    private static final Fields FIELDS = Fields.ofClass(Word.class);

    /** Every request fails. */
    private static final World AWAY = new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    private static final int WORDS = 150;

    private enum Way {
        SCAN(words -> words.scan(KeySpan.all())),
        REVERSED(words -> words.scan(KeySpan.<String>all().reversed())),
        TO_END(words -> words.scan(KeySpan.all()).toEnd()),
        INDEX(words -> words.<String>index("by").scan(KeySpan.all())),
        FIND(words ->
                words.find(FIELDS.get("text", Word.class, FieldType.STRING).startsWith("x")));

        private final Function<RecordCollection<String, Word>, Scan<Entry<String, Word>>> open;

        Way(Function<RecordCollection<String, Word>, Scan<Entry<String, Word>>> open) {
            this.open = open;
        }
    }

    private static RecordCollection<String, Word> words(Penstock store) {
        RecordCollection<String, Word> words =
                store.collection("words", Keys.string(), Json.of(Word.class)).declare(FIELDS);
        var unused = words.index("by", Keys.string(), FIELDS.get("by", Word.class, FieldType.STRING));
        return words;
    }

    private static String key(int i) {
        return String.format("k%03d", i);
    }

    private static void fill(Penstock store) {
        store.transact(transaction -> {
            for (int i = 0; i < WORDS; i++) {
                transaction.put(words(store), key(i), new Word("b" + i % 3, "x".repeat(i % 20 == 0 ? 900 : 30)));
            }
            return true;
        });
    }

    private static List<String> keys() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            all.add(key(i));
        }
        return all;
    }

    /** Each request of the scan fails at first. Payloads that are objects of their own were left out. */
    @ParameterizedTest
    @EnumSource
    void serversAreAwayAtEachStep(Way way) {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                Settings settings = cloud.settings("a").level(level).checkpointing(false);
                try (Penstock store = Penstock.open(settings)) {
                    fill(store);
                    store.admin().checkpoint();
                }
                try (Penstock store = Penstock.open(settings.callBudget(Duration.ofSeconds(2)))) {
                    List<String> found = new ArrayList<>();
                    int failed = 0;
                    Scan<Entry<String, Word>> scan = way.open.apply(words(store));
                    for (boolean more = true; more; ) {
                        cloud.cloud.setWorld(AWAY);
                        try {
                            more = scan.hasNext();
                        } catch (UnavailableException away) {
                            failed++;
                            cloud.cloud.setWorld(World.CALM);
                            more = scan.hasNext();
                        }
                        if (more) {
                            found.add(scan.next().key());
                        }
                    }
                    cloud.cloud.setWorld(World.CALM);
                    assertThat(failed).isGreaterThan(WORDS / 20);
                    assertThat(found).containsExactlyInAnyOrderElementsOf(keys());
                }
            });
        }
    }

    /** One is of another program, and the payload of one is lost. Those before them in a leaf were left out. */
    @ParameterizedTest
    @EnumSource
    void recordsCannotBeRead(Way way) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                fill(store);
                RecordCollection<String, Bytes> foreign =
                        store.collection("words", Keys.string(), PayloadCodec.bytes());
                var unused = foreign.index("by", Keys.string(), payload -> "b1");
                foreign.put("k010", Bytes.utf8("no json"));
                store.admin().checkpoint();
                cloud.cloud.lose(cloud.keys("overflow/").getFirst());
            }
            try (Penstock store = cloud.open("b")) {
                List<String> found = new ArrayList<>();
                List<Integer> failed = new ArrayList<>();
                Scan<Entry<String, Word>> scan = way.open.apply(words(store));
                for (boolean more = true; more; ) {
                    try {
                        more = scan.hasNext();
                        if (more) {
                            found.add(scan.next().key());
                        }
                    } catch (CorruptDataException unreadable) {
                        failed.add(found.size());
                    }
                }
                assertThat(failed).hasSize(2);
                assertThat(found).hasSize(WORDS - 2).doesNotHaveDuplicates().doesNotContain("k010");
            }
        });
    }

    /** Asked for again, a page that could not be read was empty, and the last one. */
    @ParameterizedTest
    @EnumSource
    void aPageThatFailedIsNeverTheLastOne(Way way) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").callBudget(Duration.ofSeconds(2));
            try (Penstock store = Penstock.open(settings)) {
                fill(store);
                store.admin().checkpoint();
            }
            try (Penstock store = Penstock.open(settings)) {
                Scan<Entry<String, Word>> scan = way.open.apply(words(store));
                cloud.cloud.setWorld(AWAY);
                assertThatThrownBy(scan::page).isInstanceOf(UnavailableException.class);
                cloud.cloud.setWorld(World.CALM);
                assertThatThrownBy(scan::page).isInstanceOf(UnavailableException.class);
                assertThatThrownBy(scan::hasNext).isInstanceOf(UnavailableException.class);
            }
        });
    }
}
