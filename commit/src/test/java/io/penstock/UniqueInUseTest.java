package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An index of a collection in use becomes unique, beside writers that know of it or do not. */
class UniqueInUseTest {
    private record People(RecordCollection<String, String> collection, Index<String, String, String> byMail) {}

    private static Penstock open(SimulatedStore cloud, String machine) {
        return Penstock.open(
                cloud.settings(machine).level(ConsistencyLevel.SERIALIZABLE).checkpointInterval(Duration.ofSeconds(3)));
    }

    private static RecordCollection<String, String> before(Penstock store) {
        return store.collection("people", Keys.string(), Json.of(String.class));
    }

    private static People people(Penstock store) {
        RecordCollection<String, String> people = before(store);
        return new People(
                people, people.index("by-mail", Keys.string(), mail -> mail).unique());
    }

    private static List<String> mails(Penstock store, RecordCollection<String, String> people) {
        return store.read(tx -> {
            try (Scan<Entry<String, String>> scan = tx.scan(people, KeySpan.all())) {
                return scan.stream().map(Entry::value).toList();
            }
        });
    }

    @Test
    void duplicatesAreListedAndThenRefused() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock old = open(cloud, "old");
                    Penstock store = open(cloud, "new")) {
                for (int i = 0; i < 40; i++) {
                    before(old).put("p" + i, "mail" + i / 2 * (i < 6 ? 1 : 100 + i));
                }
                People people = people(store);
                assertThatThrownBy(() -> people.collection().put("x", "y"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INDEX_NOT_READY));
                assertThatThrownBy(people.collection()::build)
                        .isInstanceOf(DuplicateException.class)
                        .hasMessageContaining("duplicates=3")
                        .hasMessageContaining("index=by-mail");
                assertThat(people.byMail().duplicates(2)).containsExactly("mail0", "mail1");
                before(old).put("p40", "mail0"); // still allowed to who does not know of it
                for (String mail : people.byMail().duplicates(10)) {
                    try (Scan<Entry<String, String>> scan = people.byMail().scan(mail)) {
                        scan.stream()
                                .skip(1)
                                .toList()
                                .forEach(one -> people.collection().delete(one.key()));
                    }
                }
                people.collection().build();
                people.collection().put("p1", "mine");
                assertThatThrownBy(() -> people.collection().put("p2", "mine")).isInstanceOf(DuplicateException.class);
                assertThatThrownBy(() -> before(old).put("p3", "mine"))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("index=by-mail");
                people.collection().build(); // nothing is left to do
                assertThat(mails(store, people.collection())).doesNotHaveDuplicates();
                store.admin().checkpoint();
                assertThat(store.admin().check(people.byMail()).duplicates()).isZero();
            }
        });
    }

    /** Its search key and key are too long together: the index has no entry of it, so that another may get in. */
    @Test
    void aRecordThatStaysPendingLeavesAnOrdinaryIndex() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock old = open(cloud, "old");
                    Penstock store = open(cloud, "new")) {
                String mail = "m".repeat(60);
                String key = "k".repeat(100);
                before(old).put(key, mail);
                before(old).put("p", mail);
                old.admin().checkpoint();
                People people = people(store);
                assertThatThrownBy(people.collection()::build)
                        .isInstanceOf(ConflictException.class)
                        .hasMessageContaining("pending=1")
                        .hasMessageContaining("index=by-mail");
                before(old).put("q", mail); // still allowed to who does not know of it
                people.collection().delete("p");
                before(old).delete("q");
                assertThatThrownBy(people.collection()::build).isInstanceOf(ConflictException.class);
                people.collection().delete(key);
                people.collection().build();
                people.collection().put("r", mail);
                assertThatThrownBy(() -> people.collection().put("s", mail)).isInstanceOf(DuplicateException.class);
            }
        });
    }

    @Test
    void noDuplicateGetsInBesideTheBuild() {
        for (long seed = 1; seed <= 6; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                List<Task<Boolean>> writers = IntStream.range(0, 4)
                        .mapToObj(m -> cloud.machine("w" + m).start("writer", () -> write(cloud, m)))
                        .toList();
                cloud.sleep(Duration.ofSeconds(10));
                try (Penstock store = open(cloud, "builder")) {
                    People people = people(store);
                    buildAgainAndAgain(cloud, store, people);
                    assertThat(mails(store, people.collection())).as(run).doesNotHaveDuplicates();
                    writers.forEach(Task::join);
                    assertThat(mails(store, people.collection())).as(run).doesNotHaveDuplicates();
                    assertThat(mails(store, people.collection())).as(run).hasSizeGreaterThan(5);
                    store.admin().checkpoint();
                    assertThat(store.admin().check(people.byMail()).duplicates())
                            .as(run)
                            .isZero();
                }
            });
        }
    }

    /** Half of the writers run a program that does not know of the index, and puts what it likes. */
    private static void write(SimulatedStore cloud, int m) {
        SimulatedClient machine = cloud.machine("w" + m);
        try (Penstock store = open(cloud, "w" + m)) {
            RecordCollection<String, String> people =
                    m % 2 == 0 ? before(store) : people(store).collection();
            for (int i = 0; i < 60; i++) {
                try {
                    people.put(
                            "p" + machine.random().nextInt(12),
                            "mail" + machine.random().nextInt(40));
                } catch (StoreException refused) {
                    machine.sleep(Duration.ofMillis(300));
                }
                machine.sleep(Duration.ofMillis(700));
            }
        }
    }

    private static void buildAgainAndAgain(SimulatedStore cloud, Penstock store, People people) {
        for (int i = 0; i < 40; i++) {
            try {
                people.collection().build();
                return;
            } catch (DuplicateException found) {
                people.byMail()
                        .duplicates(100)
                        .forEach(mail -> store.transact(tx -> {
                            List<String> same = new ArrayList<>();
                            try (Scan<Entry<String, String>> scan = tx.scan(people.byMail(), mail)) {
                                scan.stream().skip(1).forEach(one -> same.add(one.key()));
                            }
                            same.forEach(key -> tx.delete(people.collection(), key));
                            return true;
                        }));
            } catch (StoreException busy) {
                cloud.sleep(Duration.ofSeconds(2));
            }
        }
        throw new AssertionError("the index was never made unique");
    }
}
