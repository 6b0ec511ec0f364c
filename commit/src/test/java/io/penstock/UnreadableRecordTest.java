package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import io.penstock.core.DuplicateException;
import io.penstock.report.ScrubReport;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.World;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A record that this program cannot read, here since a newer one has written an enum constant that it does not know.
 * With an index it could be neither replaced nor deleted, and so it stopped every scan.
 */
class UnreadableRecordTest {
    private record Newer(String color, String by) {}

    private enum Color {
        RED
    }

    private record Older(Color color, String by) {}

    private static final Older RED = new Older(Color.RED, "me");

    private final Penstock store = Penstock.open(Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE));
    private final RecordCollection<String, Newer> newer = store.collection("c", Keys.string(), Json.of(Newer.class));
    private final RecordCollection<String, Older> older = store.collection("c", Keys.string(), Json.of(Older.class));
    private final Index<String, String, Newer> newerBy =
            newer.index("by", Keys.string(), Newer::by).unique();
    private final Index<String, String, Older> by =
            older.index("by", Keys.string(), Older::by).unique();

    @AfterEach
    void close() {
        store.close();
    }

    private enum Way {
        PUT((store, c) -> c.put("k", RED)),
        PUT_IN_TRANSACTION((store, c) -> store.transact(transaction -> {
            transaction.put(c, "k", RED);
            return true;
        })),
        DELETE((store, c) -> c.delete("k")),
        DELETE_IN_TRANSACTION((store, c) -> store.transact(transaction -> {
            transaction.delete(c, "k");
            return true;
        })),
        DELETE_RANGE((store, c) -> assertThat(c.deleteRange(KeySpan.all())).isEqualTo(2));

        private final BiConsumer<Penstock, RecordCollection<String, Older>> act;

        Way(BiConsumer<Penstock, RecordCollection<String, Older>> act) {
            this.act = act;
        }
    }

    @ParameterizedTest
    @EnumSource
    void itIsReplacedAndDeleted(Way way) {
        newer.put("k", new Newer("BLUE", "you"));
        newer.put("z", new Newer("RED", "z"));
        assertThatThrownBy(() -> older.get("k")).isInstanceOf(CorruptDataException.class);
        way.act.accept(store, older);
        assertThat(older.get("k")).isEqualTo(way.name().startsWith("PUT") ? Optional.of(RED) : Optional.empty());
        assertThat(by.scan("you").stream()).isEmpty();
        older.put("other", new Older(Color.RED, "you")); // the entry that is left over takes no search key
        store.admin().checkpoint(); // a scrub and a check look at pages
        store.admin().scrub(by);
        store.admin().checkpoint();
        assertThat(store.admin().check(by).leftOver()).isZero();
    }

    /** A build that it stops leaves an index that no backup takes; the message says the ways out. */
    @Test
    void aBuildThatItStopsIsEndedOrDropped() {
        newer.put("k", new Newer("BLUE", "you"));
        newer.put("z", new Newer("RED", "z"));
        store.admin().checkpoint();
        RecordCollection<String, Older> more = store.collection("c", Keys.string(), Json.of(Older.class));
        var unused = more.index("by", Keys.string(), Older::by).unique();
        more.index("color", Keys.string(), each -> each.color().name());
        MemoryObjectStore place = new MemoryObjectStore();
        assertThatThrownBy(() -> more.build(progress -> {})).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> store.admin().backup(place, "b", true))
                .hasMessageContaining("Admin.dropIndex")
                .hasMessageContaining("index=color");
        store.admin().dropIndex("c", "color");
        store.admin().backup(place, "b", true);
        assertThatThrownBy(() -> more.build(progress -> {})).isInstanceOf(CorruptDataException.class);
        older.delete("k");
        store.admin().checkpoint();
        more.build(progress -> {});
        store.admin().backup(place, "b", true);
    }

    /** While it is there, its search key is taken. */
    @Test
    void itsUniqueSearchKeyIsTaken() {
        newer.put("k", new Newer("BLUE", "you"));
        assertThatThrownBy(() -> older.put("other", new Older(Color.RED, "you")))
                .isInstanceOfAny(CorruptDataException.class, DuplicateException.class);
        assertThat(newerBy.scan("you").stream()).hasSize(1);
    }

    @Test
    void itIsThere() {
        newer.put("k", new Newer("BLUE", "you"));
        assertThat(older.putIfAbsent("k", RED)).isFalse();
        assertThat(newer.get("k")).isPresent();
    }

    @Test
    void aScanGoesOnAfterIt() {
        newer.put("k", new Newer("BLUE", "you"));
        newer.put("z", new Newer("RED", "z"));
        try (Scan<Entry<String, Older>> scan = older.scan(KeySpan.all())) {
            assertThatThrownBy(scan::next).isInstanceOf(CorruptDataException.class);
            assertThat(scan.next().key()).isEqualTo("z");
            assertThat(scan.hasNext()).isFalse();
        }
    }

    /** Written by a program from before the index: it stopped the scrub of all others. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void oneThatIsPendingStopsNoScrub(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock other =
                    Penstock.open(cloud.settings("a").checkpointing(false).level(level))) {
                RecordCollection<String, Newer> before = other.collection("c", Keys.string(), Json.of(Newer.class));
                before.put("a", new Newer("RED", "me"));
                other.admin().checkpoint();
                RecordCollection<String, Older> with = other.collection("c", Keys.string(), Json.of(Older.class));
                Index<String, String, Older> added = with.index("by", Keys.string(), Older::by);
                with.build();
                before.put("b", new Newer("BLUE", "me"));
                before.put("c", new Newer("RED", "me"));
                other.admin().checkpoint();
                assertThat(other.admin().scrub(added)).isEqualTo(new ScrubReport(1, 0, 1));
                before.put("b", new Newer("RED", "me"));
                other.admin().checkpoint();
                assertThat(keys(added.scan("me"))).containsExactly("a", "b", "c");
                assertThat(other.admin().scrub(added)).isEqualTo(new ScrubReport(1, 0, 0));
            }
        });
    }

    /** A scrub removed no entry any more once there was a record that it could not read. */
    @Test
    void aScrubLeavesItsEntry() {
        newer.put("k", new Newer("BLUE", "you"));
        store.admin().checkpoint();
        assertThat(store.admin().scrub(by)).isEqualTo(new ScrubReport(0, 0, 1));
        assertThat(keys(newerBy.scan("you"))).containsExactly("k");
    }

    private static <V> List<String> keys(Scan<Entry<String, V>> scan) {
        return scan.stream().map(Entry::key).toList();
    }
}
