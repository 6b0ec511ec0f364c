package io.penstock.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Provisioning;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.cli.PenstockCommand;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * The printed policies on a server that enforces them: users of MinIO, each with the policies of a role, make each
 * call of the store. What comes of it is the table of {@code docs/findings/rights.csv}.
 */
@Tag("servers")
class RightsOnMinioTest {
    private static final Pattern LACK = Pattern.compile("right=s3:(?<right>\\w+)[^=]* on=(?<on>\\S*)");
    private static final String SECRET = "secret-of-the-user";
    private static final int RECORDS = 40;

    private final Endpoint endpoint = RealServers.minio();
    private final String run = Long.toHexString(System.nanoTime());
    private final String bucket = "rights-" + run;
    private final ThreadTasks tasks = new ThreadTasks();
    private final StoreLocation location =
            new StoreLocation("aws", "*", "*", bucket, "penstock", null, "s3://" + bucket + "/backups");
    private String stockTree = "";
    private int number;
    private int shelves;

    /**
     * A call by a user.
     *
     * @param before made by the administrator
     */
    private record Call(String name, StoreWork before, Work work) {
        Call(String name, Work work) {
            this(name, store -> {}, work);
        }
    }

    /** The work of a call. */
    private interface Work {
        void run(User user);
    }

    /** A user, connected. */
    private final class User implements AutoCloseable {
        private final ObjectStore objects;

        User(String name, String secret) {
            this.objects = S3ObjectStore.open(S3Settings.bucket(bucket)
                    .endpoint(endpoint.s3())
                    .pathStyle(true)
                    .createBucket(name.equals(endpoint.accessKey()))
                    .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create(name, secret))));
        }

        Settings settings() {
            return Settings.on(objects, tasks)
                    .checkpointing(false)
                    .pageBytes(1024)
                    .advanced(advanced -> advanced.sweeping(false));
        }

        void reads(StoreWork work) {
            try (Penstock store = Penstock.open(settings().readOnly(true))) {
                work.run(store);
            }
        }

        void changes(StoreWork work) {
            try (Penstock store = Penstock.open(settings())) {
                work.run(store);
            }
        }

        @Override
        public void close() {
            objects.close();
        }
    }

    /** The work of a call on an open store. */
    private interface StoreWork {
        void run(Penstock store);
    }

    private static RecordCollection<String, String> books(Penstock store) {
        RecordCollection<String, String> books =
                store.collection("books", Keys.string(), Json.of(String.class)).inDomain("books");
        var unused = byLength(books);
        return books;
    }

    private static Index<Long, String, String> byLength(RecordCollection<String, String> books) {
        return books.index("length", Keys.longs(), book -> (long) book.length());
    }

    private static RecordCollection<String, String> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("stock");
    }

    /** A collection for this call alone. */
    private RecordCollection<String, String> shelf(Penstock store) {
        return store.collection("shelf" + shelves, Keys.string(), Json.of(String.class))
                .inDomain("stock");
    }

    private void shelf(Penstock store, String key, String value) {
        shelves++;
        shelf(store).put(key, value);
    }

    private static void fill(Penstock store) {
        RecordCollection<String, String> books = books(store);
        for (int i = 0; i < RECORDS; i++) {
            books.put("k" + i, "value " + i);
            stock(store).put("k" + i, "value " + i);
        }
        books.put("large", "x".repeat(100_000));
        store.admin().checkpoint();
    }

    private Stream<Call> reading() {
        return Stream.of(
                new Call("open, ping", user -> user.reads(Penstock::ping)),
                new Call(
                        "get",
                        user -> user.reads(
                                store -> assertThat(books(store).get("k1")).isPresent())),
                new Call(
                        "get a large payload",
                        user -> user.reads(
                                store -> assertThat(books(store).get("large")).isPresent())),
                new Call("scan", user -> user.reads(RightsOnMinioTest::scan)),
                new Call(
                        "read by an index",
                        user -> user.reads(store -> {
                            try (var found = books(store).<Long>index("length").scan(KeySpan.all())) {
                                assertThat(found.hasNext()).isTrue();
                            }
                        })),
                new Call(
                        "read in a transaction",
                        user -> user.reads(store -> assertThat(store.<Boolean>transact(
                                        tx -> tx.get(books(store), "k1").isPresent()))
                                .isTrue())),
                new Call(
                        "follow changes",
                        user -> user.reads(store -> assertThat(
                                        store.changes(books(store).position()).next(Duration.ofMillis(1)))
                                .isNotNull())),
                new Call(
                        "get of another collection",
                        user -> user.reads(
                                store -> assertThat(stock(store).get("k1")).isPresent())),
                new Call(
                        "backlog",
                        user -> user.reads(
                                store -> assertThat(store.admin().backlog()).isNotNull())),
                new Call(
                        "verify",
                        user -> user.reads(store ->
                                assertThat(store.admin().verify().violations()).isEmpty())),
                new Call(
                        "inspect a tree",
                        user -> user.reads(
                                store -> assertThat(store.admin().inspect().tree("stock", "", 3))
                                        .isNotEmpty())),
                new Call(
                        "stats",
                        user -> user.reads(store ->
                                assertThat(store.admin().inspect().stats()).isNotNull())),
                new Call(
                        "findGarbage",
                        user -> user.reads(store -> assertThat(store.admin().findGarbage(Duration.ZERO))
                                .isNotNull())));
    }

    private static void scan(Penstock store) {
        try (Scan<?> found = books(store).scan(KeySpan.all())) {
            assertThat(found.stream()).hasSizeGreaterThan(RECORDS);
        }
    }

    private Stream<Call> writing() {
        return Stream.of(
                new Call("put", user -> user.changes(store -> books(store).put("own", "value"))),
                new Call(
                        "put a large payload",
                        user -> user.changes(store -> books(store).put("own", "y".repeat(100_000)))),
                new Call(
                        "transaction",
                        user -> user.changes(store -> assertThat(store.<Boolean>transact(tx -> {
                                    tx.put(
                                            books(store),
                                            "own",
                                            tx.get(books(store), "k1").orElseThrow());
                                    return true;
                                }))
                                .isTrue())),
                new Call("delete", user -> user.changes(store -> books(store).delete("own"))),
                new Call(
                        "put into another domain",
                        user -> user.changes(store -> stock(store).put("own", "value"))),
                new Call(
                        "make a collection",
                        user -> user.changes(
                                store -> store.collection("new" + number++, Keys.string(), Json.of(String.class))
                                        .inDomain("books")
                                        .put("k", "v"))),
                new Call(
                        "build an index",
                        store -> shelf(store, "k", "v"),
                        user -> user.changes(store -> {
                            RecordCollection<String, String> shelf = shelf(store);
                            var unused = shelf.index("first", Keys.string(), value -> value.substring(0, 1));
                            shelf.build();
                        })));
    }

    private Stream<Call> upkeep() {
        return Stream.of(
                new Call(
                        "checkpoint",
                        store -> books(store).put("more", "value " + number++),
                        user -> user.changes(store ->
                                assertThat(store.admin().checkpoint().pages()).isPositive())),
                new Call(
                        "compact",
                        RightsOnMinioTest::repage,
                        user -> user.changes(
                                store -> assertThat(store.admin().compact()).isNotNull())),
                new Call(
                        "repage",
                        store -> store.admin().repage("stock", 4096, Compression.NONE),
                        user -> user.changes(store -> store.admin().repage("stock", 2048, Compression.NONE))),
                new Call(
                        "rename",
                        user -> user.changes(store -> {
                            String name = "odd" + number++;
                            store.admin().rename("odd", name);
                            store.admin().rename(name, "odd");
                        })),
                new Call(
                        "quarantine apply",
                        user -> user.changes(
                                store -> assertThat(store.admin().quarantine().applyAll(false))
                                        .isNotNull())),
                new Call(
                        "backup",
                        this::dropUnready,
                        user -> user.reads(store -> assertThat(store.admin().backup(user.objects, "backups", true))
                                .isNotNull())),
                new Call(
                        "keepBackups",
                        this::backUpTwice,
                        user -> user.reads(store -> assertThat(
                                        store.admin().keepBackups(user.objects, "backups", 1, Duration.ZERO))
                                .isPositive())),
                new Call("copy to another's place", this::dropUnready, user -> {
                    try (User root = root()) {
                        copy(user, root, "copy" + number++);
                    }
                }),
                new Call("copy beside the store", this::dropUnready, user -> copy(user, user, "beside")));
    }

    private static void copy(User from, User to, String prefix) {
        try (Penstock copy = Penstock.open(to.settings().prefix(prefix))) {
            from.reads(store -> assertThat(store.admin().copy(copy).missing()).isZero());
        }
    }

    /** Who may not write pages leaves an index that is being built, which no backup can have, nor a copy. */
    private void dropUnready(Penstock store) {
        try {
            store.admin().dropIndex("shelf" + shelves, "first");
        } catch (InvalidRequestException none) {
            assertThat(none.code()).isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    /** Then there are pages to write again. */
    private static void repage(Penstock store) {
        store.admin().repage("stock", 2048, Compression.ZSTD);
        var unused = store.admin().compact();
        store.admin().repage("stock", 2048, Compression.NONE);
    }

    private void backUpTwice(Penstock store) {
        try (User root = root()) {
            for (int i = 0; i < 2; i++) {
                var unused = store.admin().backup(root.objects, "backups", true);
            }
        }
    }

    /** What no client of the library does: a policy must stop it, or the page says that it does not. */
    private Stream<Call> byHand() {
        return Stream.of(
                new Call(
                        "read pages of another collection",
                        user -> assertThat(user.objects.get(first(user, "pages/" + stockTree)))
                                .isPresent()),
                new Call(
                        "read the log of another domain",
                        user -> assertThat(user.objects.get(first(user, "log/stock/")))
                                .isPresent()),
                new Call("write a page", user -> put(user, "pages/" + stockTree + "/ffffffffffffffff")),
                new Call(
                        "remove a page",
                        user -> user.objects.delete("penstock/pages/" + stockTree + "/ffffffffffffffff")),
                new Call("write into the log of another domain", user -> put(user, "log/stock/+by-hand")),
                new Call("remove a segment", user -> user.objects.delete("penstock/log/stock/+by-hand")),
                new Call("write the identity", this::rewriteIdentity),
                new Call("write any other object", user -> put(user, "by-hand")),
                new Call("write a definition", user -> put(user, "catalog/by-hand.mark")),
                new Call("end another's sign of life", user -> user.objects.delete("penstock/clients/by-hand")),
                new Call("remove a backup", user -> user.objects.delete("backups/by-hand")),
                new Call(
                        "read another store",
                        user -> assertThat(user.objects.get("other/store")).isEmpty()));
    }

    private void put(User user, String path) {
        var unused = user.objects.put("penstock/" + path, Bytes.utf8("by hand"), WriteCondition.IF_ABSENT);
        try (User root = root()) {
            root.objects.delete("penstock/" + path);
        }
    }

    private void rewriteIdentity(User user) {
        Bytes same = user.objects.get("penstock/store.copy").orElseThrow().body();
        var unused = user.objects.put("penstock/store.copy", same, WriteCondition.ALWAYS);
    }

    private static String first(User user, String path) {
        return ObjectStores.listAll(user.objects, "penstock/" + path).getFirst().key();
    }

    private User root() {
        return new User(endpoint.accessKey(), endpoint.secretKey());
    }

    /** The tree with the records of a collection. */
    private static String tree(User root, String collection) {
        StorePart part = StorePart.empty();
        part.add(
                collection,
                root.objects
                        .get("penstock/catalog/" + collection + ".json")
                        .orElseThrow()
                        .body());
        return part.trees().first();
    }

    private Map<String, String> policies() {
        Map<String, String> all = new LinkedHashMap<>();
        for (AccessRole role : AccessRole.values()) {
            all.put(
                    role.name().toLowerCase(Locale.ROOT),
                    policy(role, Provisioning.CREATE).toJson());
        }
        all.put("reader of books", printed("reader"));
        all.put("writer of books", printed("writer"));
        List<AccessPolicy.Statement> both = Stream.of(AccessRole.WRITER, AccessRole.CHECKPOINTER)
                .flatMap(role -> policy(role, Provisioning.CREATE).statements().stream())
                .toList();
        all.put("writer and checkpointer", new AccessPolicy("2012-10-17", both).toJson());
        return all;
    }

    /** The policy for one collection, as the command prints it after a look at the store. */
    private String printed(String role) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setProperty("aws.accessKeyId", endpoint.accessKey());
        System.setProperty("aws.secretAccessKey", endpoint.secretKey());
        try {
            int code = PenstockCommand.run(
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    "policy",
                    "--role",
                    role,
                    "--collection",
                    "books",
                    "--bucket",
                    bucket,
                    "--path-style",
                    "--endpoint-s3",
                    endpoint.s3().toString());
            assertThat(code).as("%s", err).isZero();
            return out.toString(StandardCharsets.UTF_8);
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    private AccessPolicy policy(AccessRole role, Provisioning provisioning) {
        return AccessPolicy.of(role, location, provisioning, false).withoutQueues();
    }

    /** Returns "yes", or the right that the failure names. */
    private static String result(Call call, User user) {
        try {
            call.work.run(user);
            return "yes";
        } catch (StoreException failure) {
            String line = String.valueOf(failure.getMessage());
            Matcher lack = LACK.matcher(line);
            if (failure.code() != ErrorCode.ACCESS_DENIED || !lack.find() || line.contains("\n")) {
                return "WRONG " + failure.code() + " " + line;
            }
            String folder = lack.group("on").replaceAll("^[a-z]+/|[0-9a-f]{16}/|\\*$", "");
            return lack.group("right").replaceAll("Object$", "") + (folder.isEmpty() ? " at the top" : " in " + folder);
        }
    }

    @Test
    void rolesMayWhatTheTableSays() throws Exception {
        Map<String, List<String>> table = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        try (User root = root()) {
            root.changes(store -> {
                fill(store);
                store.collection("odd", Keys.string(), Json.of(String.class))
                        .inDomain("stock")
                        .put("k", "v");
            });
            stockTree = tree(root, "stock");
            var unused = root.objects.put("backups/by-hand", Bytes.EMPTY, WriteCondition.ALWAYS);
            MinioAdmin admin = new MinioAdmin(endpoint);
            for (Map.Entry<String, String> each : policies().entrySet()) {
                names.add(each.getKey());
                String name = each.getKey().replace(' ', '-') + "-" + run;
                admin.add(name, SECRET, each.getValue());
                try (User user = new User(name, SECRET)) {
                    Stream.of(reading(), writing(), upkeep(), byHand())
                            .flatMap(all -> all)
                            .forEach(call -> {
                                root.changes(call.before);
                                String result = result(call, user);
                                table.computeIfAbsent(call.name, row -> new ArrayList<>())
                                        .add(result);
                            });
                }
            }
        }
        String rendered = rendered(names, table);
        assertThat(rendered).doesNotContain("WRONG");
        assertThat(Files.readString(page()))
                .as("the table is now%n%s", rendered)
                .isEqualTo(rendered);
    }

    /** The table, of the checkout that a directory upwards is. */
    private static Path page() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        return root.resolve("docs/findings/rights.csv");
    }

    private void work(User user) {
        user.changes(store -> {
            RecordCollection<String, String> words = store.collection(
                            "words" + number++, Keys.string(), Json.of(String.class))
                    .inDomain("books");
            words.put("k", "v");
            words.put("large", "z".repeat(100_000));
        });
    }

    /**
     * Rights that only failures, races, queues, or a retention's end need; and the one whose lack costs space alone,
     * with a line in the log.
     */
    private static final List<String> SELDOM = List.of(
            "ApplyAgain", "Park", "Quarantine", "RemoveLargePayloads", "SignsOfLife", "TrimLogs", "WithdrawFromLogs");

    @Test
    void aPolicyWithAHoleIsNamed() throws Exception {
        List<String> unnamed = new ArrayList<>();
        MinioAdmin admin = new MinioAdmin(endpoint);
        try (User root = root()) {
            root.changes(RightsOnMinioTest::fill);
            for (AccessRole role : List.of(AccessRole.WRITER, AccessRole.CHECKPOINTER)) {
                List<AccessPolicy.Statement> whole =
                        policy(role, Provisioning.CREATE).statements();
                for (AccessPolicy.Statement hole : whole) {
                    String name = "hole-" + number++ + "-" + run;
                    List<AccessPolicy.Statement> rest =
                            whole.stream().filter(each -> each != hole).toList();
                    admin.add(name, SECRET, new AccessPolicy("2012-10-17", rest).toJson());
                    root.changes(store -> books(store).put("more", "value " + number));
                    String told = lacking(name, role == AccessRole.CHECKPOINTER);
                    if (hole.actions().stream().noneMatch(action -> told.contains("right=" + action))) {
                        unnamed.add(hole.id() + " " + told);
                    }
                }
            }
        }
        assertThat(unnamed).allMatch(each -> SELDOM.stream().anyMatch(each::startsWith));
    }

    /** The place of a copy is a store of its own, with policies of its own. */
    @Test
    void aCopyTakesAReaderHereAndAnOperatorThere() throws Exception {
        StoreLocation there = new StoreLocation("aws", "*", "*", bucket, "copies", null, null);
        MinioAdmin admin = new MinioAdmin(endpoint);
        try (User root = root()) {
            root.changes(RightsOnMinioTest::fill);
            for (AccessRole role : List.of(AccessRole.WRITER, AccessRole.OPERATOR)) {
                List<AccessPolicy.Statement> both = Stream.of(
                                policy(AccessRole.READER, Provisioning.CREATE),
                                AccessPolicy.of(role, there, Provisioning.CREATE, false)
                                        .withoutQueues())
                        .flatMap(policy -> policy.statements().stream())
                        .toList();
                String name = "copy-" + number++ + "-" + run;
                admin.add(name, SECRET, new AccessPolicy("2012-10-17", both).toJson());
                try (User user = new User(name, SECRET)) {
                    Call call = new Call("copy", own -> copy(own, own, "copies"));
                    assertThat(result(call, user)).isEqualTo(role == AccessRole.OPERATOR ? "yes" : "Put in pages/");
                }
            }
        }
    }

    private String lacking(String name, boolean checkpoints) {
        try (User user = new User(name, SECRET)) {
            if (checkpoints) {
                user.changes(store -> store.admin().checkpoint());
                user.changes(store -> store.admin().compact());
            } else {
                work(user);
            }
            return "";
        } catch (StoreException failure) {
            assertThat(failure.code()).as("%s", failure.getMessage()).isEqualTo(ErrorCode.ACCESS_DENIED);
            return String.valueOf(failure.getMessage());
        }
    }

    private static String rendered(List<String> names, Map<String, List<String>> table) {
        StringBuilder text = new StringBuilder("call," + String.join(",", names) + "\n");
        table.forEach((call, results) -> text.append(call.contains(",") ? '"' + call + '"' : call)
                .append("," + String.join(",", results) + "\n"));
        return text.toString();
    }
}
