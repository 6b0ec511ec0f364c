package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Who may write into the log of one domain changes nothing of another, whatever the records are for. */
class ForeignRecordsTest {
    private static final Pattern TREE = Pattern.compile("\"tree\" : \"([0-9a-f]{16})\"");

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final SimulatedClient machine = simulation.client("main");

    private static RecordCollection<String, String> words(Penstock store, String name) {
        return store.collection(name, Keys.string(), Json.of(String.class)).inDomain(name);
    }

    private TreeId tree(String collection) {
        Bytes definition = cloud.objects(machine)
                .get("penstock/catalog/" + collection + ".json")
                .orElseThrow()
                .body();
        Matcher found = TREE.matcher(definition.toUtf8());
        assertThat(found.find()).isTrue();
        return TreeId.fromHex(found.group(1));
    }

    /** Returns the log of a domain, as a client has it that heeds no collection. */
    private Domain log(String name) {
        return new Domains(new Parts(
                        machine,
                        cloud.objects(machine),
                        "penstock/",
                        new HybridClock(machine::nowMillis),
                        new ServerClock(machine, Duration.ofMinutes(2)),
                        () -> new ClientId(7),
                        (domain, records, alone, turn) -> CheckpointReport.NONE,
                        Limits.of(Duration.ofSeconds(20), Duration.ofDays(30), Duration.ofSeconds(30)),
                        conflict -> conflict.exception(name),
                        Handover.NONE,
                        key -> {},
                        () -> {}))
                .of(name);
    }

    @Test
    void theLogOfADomainChangesNoOther() {
        simulation.run(() -> {
            Settings settings = Settings.on(cloud.objects(machine), machine);
            try (Penstock store = Penstock.open(settings)) {
                words(store, "mine").put("k", "v");
                words(store, "theirs").put("k", "v");
                store.admin().checkpoint();
            }
            Domain mine = log("mine");
            mine.refresh();
            for (String collection : List.of("theirs", "mine")) {
                RecordChange change = new RecordChange.Put(Bytes.utf8("k"), Bytes.utf8("\"forged\""), Stamp.ZERO);
                var unused = mine.commit(new Intent(
                        new TransactionId(new ClientId(7), collection.hashCode()),
                        mine.tail().tip(),
                        new ReadSet(),
                        List.of(new LogRecord(tree(collection), change))));
            }
            try (Penstock store = Penstock.open(settings)) {
                assertThat(store.admin().checkpoint().messages()).isEqualTo(2);
                assertThat(words(store, "theirs").get("k")).contains("v");
                assertThat(words(store, "mine").get("k")).contains("forged");
            }
            return true;
        });
    }
}
