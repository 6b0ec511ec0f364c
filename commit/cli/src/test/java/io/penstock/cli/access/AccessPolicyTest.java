package io.penstock.cli.access;

import static io.penstock.cli.access.PolicyGuard.STORE;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Levels;
import io.penstock.Penstock;
import io.penstock.Provisioning;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueService;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.Task;
import io.penstock.report.GcReport;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The printed policies grant all rights that clients use, and no right that none uses. */
class AccessPolicyTest {
    /** Only a lost race of two splits deletes a page. */
    private static final String RACE = "s3:DeleteObject " + STORE.objectArn("pages/*");

    /** Only garbage collection removes the mark of a tree, an hour after that was dropped. */
    private static final String UNMARKING = "s3:DeleteObject " + STORE.objectArn("roots/*");

    /** A client settles others only in a sweep of its own; here the checkpointers have the turns. */
    private static final String SETTLING = "s3:PutObject arn:aws:s3:::shop/penstock/retired/*";

    /** Only parts of a transaction whose client died before it sent the rest are shown to others again. */
    private static final String TORN = "sqs:ChangeMessageVisibility " + STORE.queueArn("at");

    /** Only messages that wait for an earlier one are shown again. */
    private static final String HOLE = "sqs:ChangeMessageVisibility " + STORE.queueArn("pu");

    /** Only {@code Admin.summarize} writes summaries, and removes those of leaves that are gone. */
    private static final String SUMMARIZING = "s3:PutObject " + STORE.objectArn("summaries/*");

    private static final String UNSUMMARIZING = "s3:DeleteObject " + STORE.objectArn("summaries/*");

    /** Only a damaged page makes a checkpoint park log records. */
    private static final String PARKING = "s3:PutObject " + STORE.objectArn("parked/*");

    /** Only {@code quarantine apply} removes what is kept. */
    private static final String UNPARKING = "s3:DeleteObject " + STORE.objectArn("parked/*");

    private static final String RELEASE = "s3:DeleteObject " + STORE.objectArn("quarantine/*");

    /** Only a segment in a slot that had been trimmed is taken back. */
    private static final String WITHDRAWAL = "s3:DeleteObject " + STORE.objectArn("log/*");

    /** Only a client that loses a race leaves to others what it has received of them. */
    private static final String OVERTAKEN = "sqs:ChangeMessageVisibility " + STORE.queueArn("in");

    /** Only an upload in parts that fails is aborted. */
    private static final String FAILED = "s3:AbortMultipartUpload " + STORE.objectArn("overflow/*");

    /** Every seventh goes into an object of its own. */
    private static String value(int i) {
        return "value k" + i + (i % 7 == 0 ? " ".repeat(300) : "");
    }

    /** With keys, what an encrypted store needs is used too. */
    private static final MasterKeys KEYS = MasterKeys.given("main AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);

    private static AccessPolicy policy(AccessRole role, Provisioning provisioning) {
        return AccessPolicy.of(role, STORE, provisioning, false);
    }

    private Settings settings(SimulatedClient machine, PolicyGuard police) {
        return Settings.on(
                        new PolicedObjects(cloud.objects(machine), police),
                        new PolicedQueues(cloud.queues(machine), police),
                        machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024)
                .deadAfter(Duration.ofMinutes(5))
                .encryption(KEYS);
    }

    private static RecordCollection<String, String> words(Penstock store) {
        RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
        words.index("by-length", Keys.longs(), word -> (long) word.length());
        return words;
    }

    /** A collection of a domain, whose changes go through a commit log. */
    private static RecordCollection<String, Long> stock(Penstock store) {
        RecordCollection<String, Long> stock =
                store.collection("stock", Keys.string(), Json.of(Long.class)).inDomain("shop");
        stock.index("by-number", Keys.longs(), number -> number);
        return stock;
    }

    /** Some machines, several users on each: who loses a race hands in to another machine. */
    private void sell(PolicyGuard clients, Provisioning provisioning) {
        List<Task<Boolean>> users = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            SimulatedClient machine = simulation.client("seller " + name);
            Penstock store = Penstock.open(
                    settings(machine, clients).checkpointing(false).provisioning(provisioning));
            for (int user = 0; user < 4; user++) {
                String item = name + user;
                users.add(machine.start("user", () -> {
                    for (int i = 0; i < 20; i++) {
                        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
                            tx.put(
                                    stock(store),
                                    item,
                                    tx.get(stock(store), item).orElse(0L) + 1);
                            return true;
                        });
                    }
                }));
            }
        }
        users.forEach(Task::join);
    }

    private static void write(Penstock store, ConsistencyLevel level, int from, int to) {
        RecordCollection<String, String> words = words(store);
        for (int i = from; i < to; i++) {
            String key = "k" + i;
            String value = value(i);
            store.transact(level, tx -> {
                tx.put(words, key, value);
                return true;
            });
        }
    }

    /** Sends messages that no client sends, so that they go into quarantine. */
    private void sendGarbage(SimulatedClient machine) {
        QueueService queues = cloud.queues(machine);
        for (String prefix : List.of("penstock-pu-", "penstock-at-")) {
            queues.list(prefix).forEach(name -> queues.find(name).orElseThrow().send(List.of(Bytes.utf8("garbage"))));
        }
    }

    /** Writers open, close and crash; a checkpointer runs for a month. */
    private void month(PolicyGuard clients, PolicyGuard checkpointers, Provisioning provisioning) {
        if (provisioning == Provisioning.CREATE) {
            // The first client makes the store.
            Penstock.open(settings(simulation.client("first"), clients)).close();
        }
        dropOne();
        SimulatedClient main = simulation.client("main");
        SimulatedClient lost = simulation.client("lost");
        Settings writer = settings(simulation.client("a"), clients).checkpointing(false);
        lost.start("crash", () -> {
            Penstock store =
                    Penstock.open(settings(lost, clients).checkpointing(false).provisioning(provisioning));
            write(store, ConsistencyLevel.ATOMIC, 0, 200);
        });
        main.sleep(Duration.ofSeconds(4));
        lost.crash();
        try (Penstock store = Penstock.open(writer.provisioning(provisioning))) {
            for (ConsistencyLevel level :
                    Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE)) {
                write(store, level, 200, 300);
            }
            main.sleep(Duration.ofMinutes(6));
            sendGarbage(main);
            store.admin().recover();
            assertThat(words(store).get("k200")).contains(value(200));
        }
        sell(clients, provisioning);
        crashAfterFirstCommit(main, clients, provisioning);
        loseTokens(main);
        Settings daemon = settings(simulation.client("b"), checkpointers)
                .provisioning(provisioning)
                .advanced(advanced -> advanced.sweepEvery(Duration.ofMinutes(30)));
        try (Penstock store = Penstock.open(daemon)) {
            main.sleep(Duration.ofDays(31));
            assertThat(store.admin().backlog().total()).isZero();
            assertThat(store.admin().compact().joined()).isNotNegative();
            GcReport collected = store.admin().removeGarbage(Duration.ZERO);
            assertThat(collected.objects()).isPositive();
            assertThat(collected.queues()).isOne();
        }
    }

    /** The queues of a dropped collection are removed by whoever collects garbage. */
    private void dropOne() {
        SimulatedClient admin = simulation.client("dropper");
        try (Penstock store = Penstock.open(Settings.on(cloud.objects(admin), cloud.queues(admin), admin)
                .encryption(KEYS)
                .level(ConsistencyLevel.ATOMIC)
                .advanced(advanced -> advanced.sweeping(false)))) {
            RecordCollection<String, String> brief = store.collection("brief", Keys.string(), Json.of(String.class));
            brief.put("k", "v");
            store.flush();
            store.admin().drop("brief");
        }
    }

    /** A client that dies before it has forwarded its commit, to queues that do not exist yet. */
    private void crashAfterFirstCommit(SimulatedClient main, PolicyGuard clients, Provisioning provisioning) {
        SimulatedClient brief = simulation.client("brief");
        String name = provisioning == Provisioning.CREATE ? "fresh" : "words";
        brief.start("crash", () -> {
            Penstock store = Penstock.open(settings(brief, clients)
                    .checkpointing(false)
                    .provisioning(provisioning)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
            RecordCollection<String, String> collection =
                    name.equals("words") ? words(store) : store.collection(name, Keys.string(), Json.of(String.class));
            collection.put("k", "v");
        });
        main.sleep(Duration.ofMinutes(1));
        brief.crash();
        main.sleep(Duration.ofMinutes(10));
    }

    private void loseTokens(SimulatedClient machine) {
        QueueService queues = cloud.queues(machine);
        for (String name : queues.list("penstock-lk-")) {
            MessageQueue lock = queues.find(name).orElseThrow();
            lock.delete(lock.receive(10, Duration.ofMinutes(1), Duration.ofSeconds(1)).stream()
                    .map(Delivery::receipt)
                    .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Provisioning.class)
    @Tag("slow")
    void clientsAndCheckpointersGetWhatTheyNeedAndNoMore(Provisioning provisioning) {
        simulation.run(() -> {
            if (provisioning == Provisioning.EXISTING) {
                provision();
            }
            AccessPolicy client = policy(AccessRole.WRITER, provisioning);
            AccessPolicy checkpointer = policy(AccessRole.CHECKPOINTER, provisioning);
            PolicyGuard clients = new PolicyGuard(client);
            PolicyGuard checkpointers = new PolicyGuard(checkpointer);
            month(clients, checkpointers, provisioning);
            assertThat(clients.refused).isEmpty();
            assertThat(checkpointers.refused).isEmpty();
            assertThat(clients.unused(client))
                    .as("rights of clients")
                    .isSubsetOf(TORN, FAILED, SETTLING, WITHDRAWAL, OVERTAKEN);
            assertThat(checkpointers.unused(checkpointer))
                    .as("rights of checkpointers")
                    .isSubsetOf(RACE, UNMARKING, SUMMARIZING, UNSUMMARIZING, TORN, HOLE, PARKING, UNPARKING, RELEASE);
            return true;
        });
    }

    private void provision() {
        SimulatedClient admin = simulation.client("admin");
        try (Penstock store = Penstock.open(Settings.on(cloud.objects(admin), cloud.queues(admin), admin)
                .encryption(KEYS)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024))) {
            store.admin().provision(words(store), stock(store));
        }
    }

    @Test
    void readersReadAndDoNothingElse() {
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("a");
            Penstock writer = Penstock.open(Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                    .encryption(KEYS)
                    .level(ConsistencyLevel.ATOMIC));
            write(writer, ConsistencyLevel.ATOMIC, 0, 50);
            writer.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                tx.put(stock(writer), "book", 1L);
                return true;
            });
            writer.admin().checkpoint();
            AccessPolicy policy = policy(AccessRole.READER, Provisioning.CREATE);
            PolicyGuard readers = new PolicyGuard(policy);
            try (Penstock store =
                    Penstock.open(settings(simulation.client("reader"), readers).readOnly(true))) {
                RecordCollection<String, String> words = words(store);
                assertThat(words.get("k7")).contains(value(7));
                try (var scan = words.scan(KeySpan.all())) {
                    assertThat(scan.stream()).hasSize(50);
                }
                Optional<Long> books =
                        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> tx.get(stock(store), "book"));
                assertThat(books).contains(1L);
                assertThat(store.admin().backlog().total()).isZero();
                assertThat(store.admin().verify().violations()).isEmpty();
                machine.sleep(Duration.ofHours(1));
                assertThatThrownBy(() -> words.put("k7", "x"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.READ_ONLY));
            }
            assertThat(readers.refused).isEmpty();
            assertThat(readers.unused(policy)).isEmpty();
            return true;
        });
    }

    @Test
    void commitLogsInABucketOfTheirOwnNeedNoRightOnThoseOfTheStore() {
        StoreLocation store =
                new StoreLocation("aws", "eu-central-1", "123456789012", "shop", "penstock", "shop-log", null);
        AccessPolicy client = AccessPolicy.of(AccessRole.WRITER, store, Provisioning.CREATE, false);
        AccessPolicy checkpointer = AccessPolicy.of(AccessRole.CHECKPOINTER, store, Provisioning.CREATE, false);
        SimulatedCloud logs = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            for (AccessPolicy policy : List.of(client, checkpointer)) {
                SimulatedClient machine = simulation.client(policy == client ? "a" : "b");
                PolicyGuard police = policy == client ? new PolicyGuard(client) : new PolicyGuard(client, checkpointer);
                Settings settings = settings(machine, police)
                        .checkpointing(policy == checkpointer)
                        .logRetention(Duration.ofHours(1))
                        .commitLog(new PolicedObjects(logs.objects(machine), police, store.logBucketArn()));
                try (Penstock opened = Penstock.open(settings)) {
                    for (long i = 0; i < 20; i++) {
                        opened.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
                            tx.put(
                                    stock(opened),
                                    "book",
                                    tx.get(stock(opened), "book").orElse(0L) + 1);
                            return true;
                        });
                        machine.sleep(Duration.ofMinutes(10));
                    }
                }
                assertThat(police.refused).isEmpty();
                assertThat(police.unused(policy)).noneMatch(right -> right.contains("CommitToLogs"));
                assertThat(police.used)
                        .noneMatch(use -> use.contains(":::shop/penstock/log/"))
                        .anyMatch(use -> use.contains(":::shop-log/penstock/"));
            }
            return true;
        });
        assertThat(client.allows("s3:PutObject", "arn:aws:s3:::shop/penstock/log/main/1"))
                .isFalse();
    }

    @Test
    void aDirectoryBucketIsUsedBySessions() throws Exception {
        String log = "shop--euc1-az1--x-s3";
        StoreLocation store =
                new StoreLocation("aws", "eu-central-1", "123456789012", "shop", "penstock", log, "s3://b/f");
        String arn = "arn:aws:s3express:eu-central-1:123456789012:bucket/" + log;
        for (AccessRole role : AccessRole.values()) {
            AccessPolicy policy = AccessPolicy.of(role, store, Provisioning.CREATE, false);
            assertThat(policy.allows("s3express:CreateSession", arn)).isTrue();
            assertThat(policy.toJson().contains("\"s3express:SessionMode\" : \"ReadOnly\""))
                    .isEqualTo(role == AccessRole.READER || role == AccessRole.BACKUP);
            assertThat(policy.toJson()).doesNotContain(":::" + log);
        }
    }

    @Test
    void naiveTransactionsNeedTheRightToWritePages() {
        simulation.run(() -> {
            PolicyGuard without = new PolicyGuard(policy(AccessRole.WRITER, Provisioning.CREATE));
            Settings settings = settings(simulation.client("a"), without).checkpointing(false);
            try (Penstock store = Penstock.open(settings)) {
                assertThatThrownBy(() -> write(store, ConsistencyLevel.NAIVE, 0, 1))
                        .is(code(ErrorCode.ACCESS_DENIED));
            }
            PolicyGuard with = new PolicyGuard(AccessPolicy.of(AccessRole.WRITER, STORE, Provisioning.CREATE, true));
            try (Penstock store =
                    Penstock.open(settings(simulation.client("b"), with).checkpointing(false))) {
                write(store, ConsistencyLevel.NAIVE, 0, 100);
            }
            assertThat(with.refused).isEmpty();
            return true;
        });
    }

    @Test
    void thePolicyIsOneThatIamTakes() throws Exception {
        JsonNode policy = new ObjectMapper()
                .readTree(policy(AccessRole.WRITER, Provisioning.EXISTING).toJson());
        assertThat(policy.get("Version").asText()).isEqualTo("2012-10-17");
        for (JsonNode statement : policy.get("Statement")) {
            assertThat(statement.fieldNames()).toIterable().containsExactly("Sid", "Effect", "Action", "Resource");
            assertThat(statement.get("Sid").asText()).matches("[A-Za-z0-9]+");
            assertThat(statement.get("Resource"))
                    .allMatch(arn ->
                            arn.asText().startsWith("arn:aws:") || arn.asText().equals("*"));
        }
        // A managed policy has at most 6,144 characters, white space not counted (IAM quotas).
        for (AccessRole role : AccessRole.values()) {
            assertThat(policy(role, Provisioning.CREATE).toJson().replaceAll("\\s", ""))
                    .hasSizeLessThan(6144);
        }
    }

    @Test
    void theOperatorMayWhatWritersAndCheckpointersMay() {
        AccessPolicy operator = policy(AccessRole.OPERATOR, Provisioning.CREATE);
        for (AccessRole role : AccessRole.values()) {
            policy(role, Provisioning.CREATE)
                    .statements()
                    .forEach(statement -> statement
                            .actions()
                            .forEach(action -> assertThat(statement.resources())
                                    .as(action)
                                    .allMatch(resource -> operator.allows(action, resource))));
        }
    }

    @Test
    void aPartOfAStoreHasItsTreesAndDomains() {
        StorePart part = StorePart.empty();
        String definition = """
                {"format":1, "name":"books", "tree":"00000000000000aa", "domain":"shop",
                 "indexes":[{"name":"i", "tree":"00000000000000bb", "pending":"00000000000000cc"}]}
                crc32c 00000000
                """;
        part.add("books", Bytes.utf8(definition));
        AccessPolicy policy = policy(AccessRole.WRITER, Provisioning.EXISTING).narrowedTo(part, STORE);
        for (String tree : part.trees()) {
            assertThat(policy.allows("s3:GetObject", STORE.objectArn("pages/" + tree + "/1")))
                    .isTrue();
            assertThat(policy.allows("s3:PutObject", STORE.objectArn("overflow/" + tree + "/1")))
                    .isTrue();
        }
        assertThat(policy.allows("s3:PutObject", STORE.objectArn("log/shop/1"))).isTrue();
        assertThat(policy.allows("s3:PutObject", STORE.objectArn("log/shops/1")))
                .isFalse();
        assertThat(policy.allows("s3:GetObject", STORE.objectArn("pages/00000000000000dd/1")))
                .isFalse();
        assertThat(policy.toJson())
                .contains("penstock-pu-*-00000000000000bb-*", "penstock-in-*-shop\"")
                .doesNotContain("penstock-pu-*\"");
        assertThatThrownBy(() -> part.add("stock", Bytes.utf8(definition))).hasMessageContaining("collection=stock");
    }

    @Test
    void placesThatAreNoneAreRefused() {
        for (String bad : Set.of("", "a/b", "*", "with space", "UPPER")) {
            assertThatThrownBy(() -> new StoreLocation("aws", "*", "*", bad, "penstock"))
                    .isInstanceOf(InvalidRequestException.class);
        }
        assertThatThrownBy(() -> new StoreLocation("aws", "*", "12", "shop", "penstock"))
                .hasMessageContaining("account=12");
    }
}
