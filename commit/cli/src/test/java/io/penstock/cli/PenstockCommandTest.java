package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Review;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.cli.program.Shell;
import io.penstock.core.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line on a local store. */
class PenstockCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @TempDir
    private Path elsewhere;

    @BeforeEach
    void fill() {
        try (Penstock store = Penstock.open(
                Settings.local(directory).level(ConsistencyLevel.ATOMIC).checkpointing(false))) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            words.put("a", "1");
            words.put("b", "2");
        }
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private String dir() {
        return directory.toString();
    }

    @Test
    void aSweepAppliesWhatIsPending() {
        assertThat(run("backlog", "--dir", dir())).isZero();
        assertThat(out.toString()).containsPattern("pending messages: [12]");
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("backlog", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("pending messages: 0").contains("atomic messages: 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "backlog",
                "backlog --watch 1s --once",
                "backup --to ELSEWHERE",
                "compact",
                "copy --to ELSEWHERE",
                "doctor",
                "drop words",
                "export --collection words DIR/export",
                "gc",
                "import --collection more DIR/import",
                "inspect client",
                "inspect log",
                "inspect page --collection words",
                "inspect queue",
                "inspect tree --collection words",
                "move sold --out",
                "provision",
                "quarantine apply",
                "quarantine list",
                "rename words verba",
                "repage words --page-bytes 512 --compression none",
                "review --collection sold",
                "sql values(1)",
                "stats",
                "sweep",
                "verify",
                "verify --repair"
            })
    void everyCommandSpeaksJson(String command) throws IOException {
        Files.writeString(directory.resolve("import"), "{\"key\":\"a\",\"value\":1}\n");
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            store.collection("sold", Keys.string(), Json.of(String.class))
                    .inDomain("shop")
                    .put("a", "1");
            if (command.startsWith("backup") || command.startsWith("copy")) {
                store.admin().drop("words");
            }
        }
        assertThat(run((command + " --json --dir DIR")
                        .replace("DIR", dir())
                        .replace("ELSEWHERE", elsewhere.toString())
                        .split(" ")))
                .as("%s", err)
                .isZero();
        ObjectMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        assertThat(out.toString().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(mapper.readTree(line)).isNotNull());
    }

    @Test
    void aCuratorApprovesAndRejects() {
        List<String> ids = new ArrayList<>();
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            RecordCollection<String, String> sold = store.collection("sold", Keys.string(), Json.of(String.class));
            sold.put("a", "1");
            for (String value : List.of("2", "spam\u001b[2J")) {
                ids.add(Review.of(sold).propose("a", Optional.of(value), "ada"));
            }
        }
        assertThat(run("review", "--collection", "words", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("none");
        assertThat(run("review", "--collection", "sold", "--dir", dir())).isZero();
        assertThat(out.toString()).hasLineCount(2).contains(ids.getFirst()).doesNotContain("\u001b");
        assertThat(run("review", "--collection", "sold", "--dir", dir(), "--approve", ids.getFirst()))
                .isZero();
        assertThat(content("sold")).containsExactly("a=\"2\"");
        assertThat(run("review", "--collection", "sold", "--dir", dir(), "--approve", ids.getFirst()))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("no such proposal waits").hasLineCount(1);
        assertThat(run("review", "--collection", "sold", "--dir", dir(), "--approve", ids.getLast()))
                .as("the record changed")
                .isEqualTo(Shell.FAILED);
        assertThat(run("review", "--collection", "sold", "--dir", dir(), "--reject", ids.getLast(), "--reason", "no"))
                .isZero();
        assertThat(run("review", "--collection", "sold", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("none");
    }

    /** Not that there are none. */
    @Test
    void proposalsAreFoundByAnOldNameAndNotByAWrongOne() {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            Review<String, String> review = Review.of(store.collection("sold", Keys.string(), Json.of(String.class)));
            review.propose("a", Optional.of("1"), "ada");
            store.admin().rename("sold", "gone");
            store.admin().rename("sold.review", "gone.review");
        }
        assertThat(run("review", "--collection", "sold", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("ada");
        assertThat(run("review", "--collection", "never", "--dir", dir())).isEqualTo(Shell.USAGE);
        assertThat(run("review", "--collection", "gone", "--dir", dir(), "--most", "-1"))
                .isEqualTo(Shell.USAGE);
    }

    @Test
    void completionKnowsTheCommands() {
        assertThat(run("--completion")).isZero();
        assertThat(out.toString()).contains("complete -F", "quarantine", "--grace");
    }

    @Test
    void gcRemovesWhenItIsTold() {
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("gc", "--dir", dir(), "--grace", "0s")).isZero();
        assertThat(out.toString())
                .contains(" 0 orphans of 0 bytes, nothing deleted (a dry run; see --delete)")
                .hasLineCount(1);
        assertThat(run("gc", "--dir", dir(), "--grace", "2d", "--delete")).isZero();
        assertThat(out.toString()).contains(" 0 orphans of 0 bytes, 0 deleted");
    }

    @Test
    void compactTellsWhatItDid() {
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("compact", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("0 tombstones dropped from 0 leaves, 0 leaves joined");
    }

    @Test
    void aCollectionMovesOutOfItsDomain() {
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            RecordCollection<String, String> sold = store.collection("sold", Keys.string(), Json.of(String.class))
                    .inDomain("shop");
            assertThat(sold.putIfAbsent("a", "1")).isTrue();
        }
        assertThat(run("move", "sold", "--dir", dir(), "--out")).isZero();
        assertThat(out.toString()).contains("apply the commit log").contains("sold belongs to no domain");
        assertThat(content("sold")).containsExactly("a=\"1\"");
        assertThat(run("move", "sold", "--dir", dir(), "--out")).isZero();
    }

    @Test
    void aCollectionIsRenamed() {
        assertThat(run("rename", "words", "verba", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("words is verba; the old name leads to it");
        assertThat(content("verba")).isNotEmpty().isEqualTo(content("words"));
        assertThat(run("rename", "words", "verba", "--dir", dir())).isZero();
        assertThat(run("stats", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("verba").doesNotContain("words");
        assertThat(run("verify", "--dir", dir())).isZero();
    }

    @Test
    void pagesChange() {
        assertThat(run("repage", "words", "--page-bytes", "512", "--compression", "zstd", "--dir", dir()))
                .isZero();
        assertThat(out.toString())
                .isEqualToIgnoringNewLines(
                        "words has leaves of 512 bytes and compression zstd from now on; run compact for"
                                + " those it has");
        assertThat(run("compact", "--dir", dir())).isZero();
        assertThat(content("words")).containsExactly("a=\"1\"", "b=\"2\"");
        assertThat(run("verify", "--dir", dir())).isZero();
        assertThat(run("repage", "words", "--page-bytes", "5", "--compression", "none", "--dir", dir()))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("512 bytes to 16 MiB").hasLineCount(1);
        assertThat(run("repage", "words", "--page-bytes", "512", "--compression", "gzip", "--dir", dir()))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[INVALID_SETTING]").hasLineCount(1);
    }

    @Test
    void anEncryptedStoreNeedsItsKeys() throws IOException {
        Path keys = Files.writeString(directory.resolve("keys"), "one " + "A".repeat(43) + "=\n");
        String store = Files.createDirectory(directory.resolve("sealed")).toString();
        String backups = directory.resolve("backups").toString();
        Settings sealed = Settings.local(Path.of(store)).with(Map.of("encryption", "file:" + keys));
        try (Penstock opened = Penstock.open(sealed)) {
            opened.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
        }
        String option = "file:" + keys;
        assertThat(run("stats", "--dir", store)).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[NO_KEY]").contains("--encryption").hasLineCount(1);
        Files.writeString(keys, "two " + "B".repeat(43) + "=\none " + "A".repeat(43) + "=\n");
        assertThat(run("rotate-keys", "--dir", store, "--encryption", option)).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("data keys: 2");
        assertThat(run("rotate-keys", "--json", "--dir", store, "--encryption", option))
                .isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("3");
        Files.writeString(keys, "two " + "B".repeat(43) + "=\n");
        assertThat(run("verify", "--dir", store, "--encryption", option)).isZero();
        assertThat(run("backup", "--to", backups, "--dir", store, "--encryption", option))
                .isZero();
        String empty = Files.createDirectory(directory.resolve("empty")).toString();
        assertThat(run("restore", "--from", backups, "--dir", empty)).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[NO_KEY]").hasLineCount(1);
        String other = Files.createDirectory(directory.resolve("other")).toString();
        assertThat(run("restore", "--from", backups, "--dir", other, "--encryption", option))
                .isZero();
        assertThat(out.toString()).contains("1 records");
        String again = Files.createDirectory(directory.resolve("again")).toString();
        assertThat(run("restore", "--json", "--from", backups, "--dir", again, "--encryption", option))
                .isZero();
        assertThat(out.toString()).contains("\"records\":1");
        assertThat(run("rotate-keys", "--dir", dir())).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[INVALID_SETTING]").hasLineCount(1);
    }

    @Test
    void aDropIsMeant() {
        assertThat(run("drop", "words", "--dir", dir())).isZero();
        assertThat(out.toString())
                .isEqualToIgnoringNewLines("words is there; nothing dropped (a dry run; see --delete)");
        assertThat(run("drop", "words", "--dir", dir(), "--delete", "--truncate"))
                .isZero();
        assertThat(out.toString()).contains("words emptied");
        assertThat(content("words")).isEmpty();
        assertThat(run("drop", "words", "--dir", dir(), "--delete")).isZero();
        assertThat(out.toString()).contains("words dropped");
        assertThat(run("drop", "words", "--dir", dir(), "--delete")).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[NOT_FOUND]").hasLineCount(1);
        assertThat(run("verify", "--dir", dir())).isZero();
    }

    @Test
    void provisionMakesQueuesOfTheLayout() {
        assertThat(run("provision", "--dir", dir(), "--partitions", "3")).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("provisioned collections: 1");
    }

    @Test
    void verifyTellsADamagedPage() throws IOException {
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("verify", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("the store is sound");
        for (Path page : pages()) {
            byte[] bytes = Files.readAllBytes(page);
            bytes[bytes.length - 1] ^= 1;
            Files.write(page, bytes);
        }
        assertThat(run("verify", "--dir", dir())).isEqualTo(Shell.FAILED);
        assertThat(err.toString() + out).doesNotContain("\tat ").containsPattern("page|object");
    }

    @Test
    void whatADamagedPageHidesIsListedAndAppliedAfterItsRepair() throws IOException {
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("quarantine", "list", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("none");
        Map<Path, byte[]> before = new HashMap<>();
        for (Path page : pages()) {
            byte[] bytes = Files.readAllBytes(page);
            before.put(page, bytes.clone());
            bytes[bytes.length - 1] ^= 1;
            Files.write(page, bytes);
        }
        fill();
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("backlog", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("pending messages: 0").contains("kept in quarantine: 1");
        assertThat(run("quarantine", "list", "--json", "--dir", dir())).isZero();
        assertThat(out.toString()).startsWith("[{\"id\":\"parked/").contains("\"collection\":\"words\"");
        String id = out.toString().split("\"", -1)[3];
        assertThat(run("quarantine", "show", id, "--dir", dir())).isZero();
        assertThat(out.toString()).hasLineCount(2).contains("key bytes=1").doesNotContain("key=");
        assertThat(run("quarantine", "show", "--bytes", id, "--dir", dir())).isZero();
        assertThat(out.toString()).contains("key=\"a\" payload=");
        assertThat(run("quarantine", "apply", "--dir", dir())).isEqualTo(Shell.FAILED);
        assertThat(out.toString()).contains("0 objects applied, 0 log records").contains("kept " + id);
        for (Map.Entry<Path, byte[]> page : before.entrySet()) {
            Files.write(page.getKey(), page.getValue());
        }
        assertThat(run("quarantine", "apply", "--json", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("{\"applied\":1,\"records\":2,\"kept\":{}}");
        assertThat(run("quarantine", "show", id, "--dir", dir())).isEqualTo(Shell.USAGE);
        assertThat(run("quarantine", "--dir", dir())).isEqualTo(Shell.USAGE);
    }

    @Test
    void verifyAppliesWhatIsCommittedIfItMayRepair() {
        assertThat(run("verify", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("note committed and not yet applied");
        assertThat(run("verify", "--repair", "--dir", dir())).isZero();
        assertThat(out.toString())
                .as("what is committed is applied when a local store is opened to write")
                .contains("the store is sound")
                .doesNotContain("note ");
    }

    @Test
    void statsAndInspectTellWhatIsThere() {
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("stats", "--dir", dir())).isZero();
        assertThat(out.toString())
                .containsPattern("words +1 +1 +\\d+ +\\d+ +2 +0 ")
                .contains("objects in pages/: ")
                .containsPattern("in all [0-9]+ bytes: \\$0.00 a month");
        assertThat(run("inspect", "tree", "--dir", dir(), "--collection", "words"))
                .isZero();
        assertThat(out.toString()).contains("page 0000000000000001 version=1 entries=2");
        assertThat(run("inspect", "page", "--dir", dir(), "--collection", "words", "--keys"))
                .isZero();
        assertThat(out.toString()).contains("key=\"a\" payload bytes=");
        assertThat(run("inspect", "queue", "--dir", dir())).isZero();
        assertThat(out.toString()).contains("-p0000 of collection=words visible=0");
        assertThat(run("inspect", "client", "--dir", dir())).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("none");
        assertThat(err.toString()).isEmpty();
    }

    private Path[] pages() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("objects"))) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("pages"))
                    .toArray(Path[]::new);
        }
    }

    @Test
    void policyIsPrinted() {
        assertThat(run("policy", "--role", "reader", "--bucket", "shop")).isZero();
        assertThat(out.toString()).contains("arn:aws:s3:::shop/penstock/*").doesNotContain("PutObject", "sqs:");
        assertThat(run("policy", "--role", "backup", "--bucket", "shop", "--sqs", "--to", "s3://other/shop"))
                .isZero();
        assertThat(out.toString())
                .contains("arn:aws:s3:::other/shop/*", "arn:aws:sqs:*:*:penstock-pu-*")
                .doesNotContain("DeleteObject");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        '' | no command is given
        policy --role boss --bucket b | boss' is no role; give one of: reader, writer, checkpointer, operator, backup
        policy --role writer | --bucket
        policy --role writer --dir DIR | give --bucket
        policy --role backup --bucket b | give their place as s3://bucket/folder to=null
        policy --role backup --bucket b --to s3://b | to=s3://b
        policy --role operator --bucket b --collection c | only the roles reader and writer
        policy --role writer --bucket A/B | bucket=A/B
        policy --role writer --bucket b --log-bucket A/B | log-bucket=A/B
        policy --role writer --bucket b --log-bucket b | log-bucket=b
        backlog | give either --dir or --bucket
        backlog --dir x --bucket y | two stores given; give either --dir or --bucket, not both
        backlog --bucket NO | name=NO
        gc --dir DIR --grace -1h | -1h' is no duration; give a number and a unit
        gc --dir DIR --grace soon | soon' is no duration
        gc --dir DIR --grace 30 | 30' is no duration; give a number and a unit of ms s m h d, such as 30s
        gc --dir DIR --grace 0 | 0' is no duration
        sweep --every 60 --dir DIR | 60' is no duration; give a number and a unit of ms s m h d, such as 30s
        review --collection words --approve 1 --reject 2 --dir DIR | give --approve ID, or --reject ID with --reason
        review --collection words --reject 2 --dir DIR | --reason TEXT
        backlog --watch 0s --dir DIR | --watch must be at least 1 second
        sweep --every 0s --dir DIR | --every must be at least 1 second
        verify --dir DIR --prefix UP | prefix=UP
        move words --dir DIR | --into DOMAIN, or --out
        move nope --dir DIR --out | collection=nope
        rename nope other --dir DIR | collection=nope
        rename words no/name --dir DIR | collection=no/name
        rename words --dir DIR | NAME
        dance | dance
        inspect | it is page, tree, queue, client or log
        inspect page --dir DIR | --collection
        inspect tree --dir DIR --collection nope | collection=nope
        inspect client --dir DIR xyz | client=xyz
        inspect log main --dir DIR --segments -5 | --segments is out of range
        """)
    void aWrongLineIsToldInOneLine(String line, String what) {
        String[] arguments =
                line.isEmpty() ? new String[0] : line.replace("DIR", dir()).split(" ");
        assertThat(run(arguments)).isEqualTo(Shell.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("penstock: ").contains(what).hasLineCount(1);
    }

    private List<String> content(String collection) {
        List<String> found = new ArrayList<>();
        try (Penstock store = Penstock.open(
                        Settings.local(directory).level(ConsistencyLevel.ATOMIC).readOnly(true));
                Scan<Entry<Bytes, Bytes>> scan = store.rawCollection(collection).scan(KeySpan.all())) {
            scan.forEachRemaining(entry ->
                    found.add(entry.key().toUtf8() + "=" + entry.value().toUtf8()));
        }
        return found;
    }

    /** What is in a commit log is read, and so exported. */
    @Test
    void anExportOfADomainMissesNothing() {
        try (Penstock store = Penstock.open(Settings.local(directory.resolve("strict")))) {
            store.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
        }
        assertThat(run("export", "--dir", directory.resolve("strict").toString(), "--collection", "words", "-"))
                .isZero();
        assertThat(out.toString()).contains("\"a\"");
        assertThat(err.toString()).isEmpty();
        Path none = directory.resolve("none.jsonl");
        assertThat(run(
                        "export",
                        "--dir",
                        directory.resolve("strict").toString(),
                        "--collection",
                        "no",
                        none.toString()))
                .isEqualTo(Shell.USAGE);
        assertThat(directory.resolve("none.jsonl." + ProcessHandle.current().pid() + ".part"))
                .doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "csv"})
    void whatIsExportedCanBeImported(String format) throws IOException {
        String file = directory.resolve("words." + format).toString();
        assertThat(run("export", "--dir", dir(), "--collection", "words", "-")).isZero();
        assertThat(err.toString())
                .contains("committed but not applied, and so not exported;"
                        + " run scripts/penstock sweep and export again: 1")
                .hasLineCount(1);
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("export", "--dir", dir(), "--collection", "words", "--format", format, file))
                .isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("exported records: 2");
        assertThat(run("import", "--dir", dir(), "--collection", "copy", "--format", format, file))
                .isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("imported records: 2");
        assertThat(content("copy")).containsExactly("a=\"1\"", "b=\"2\"");
        assertThat(err.toString()).as("no terminal, no progress").isEmpty();
        // Into a collection with records, by transactions; the newer wins.
        Files.writeString(Path.of(file + ".more"), "{\"key\":\"b\",\"value\":\"3\"}\n{\"key\":\"c\",\"value\":[]}\n");
        assertThat(run("import", "--dir", dir(), "--collection", "copy", file + ".more"))
                .isZero();
        assertThat(content("copy")).containsExactly("a=\"1\"", "b=\"3\"", "c=[]");
        assertThat(run("verify", "--dir", dir())).isZero();
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            assertThat(store.collection("copy", Keys.string(), Json.of(String.class))
                            .get("b"))
                    .contains("3");
        }
        assertThat(run("export", "--dir", dir(), "--collection", "copy", "-")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"key\":\"a\",\"value\":\"1\"}",
                        "{\"key\":\"b\",\"value\":\"3\"}",
                        "{\"key\":\"c\",\"value\":[]}");
    }

    /** Records near the largest that a page takes: a transaction of them stays below what one may have. */
    @Test
    void anImportOfLargeRecordsTakesSeveralTransactions() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            lines.append("{\"key\":\"%s%d\",\"value\":\"%s\"}\n".formatted("k".repeat(200), i, "v".repeat(9_000)));
        }
        Path file = Files.writeString(directory.resolve("large.jsonl"), lines);
        String strict = Files.createDirectory(directory.resolve("strict")).toString();
        for (int times = 0; times < 2; times++) {
            assertThat(run("import", "--dir", strict, "--collection", "large", file.toString()))
                    .isZero();
        }
    }

    @Test
    void anImportMakesACompressedCollection() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            lines.append("{\"key\":\"order-").append(i).append("\",\"value\":{\"state\":\"shipped\",\"no\":");
            lines.append(i).append("}}\n");
        }
        String file =
                Files.writeString(directory.resolve("orders.jsonl"), lines).toString();
        assertThat(run("import", "--dir", dir(), "--collection", "orders", "--compression", "lz5", file))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString())
                .isEqualTo(
                        "penstock: there is no such compression; use none or zstd compression=lz5 [INVALID_SETTING]\n");
        assertThat(run("import", "--dir", dir(), "--collection", "orders", "--compression", "zstd", file))
                .isZero();
        assertThat(out.toString()).isEqualTo("imported records: 2000\n");
        assertThat(run("verify", "--dir", dir())).isZero();
        assertThat(run("stats", "--dir", dir())).isZero();
        String[] stats = out.toString()
                .lines()
                .filter(line -> line.startsWith("orders "))
                .findFirst()
                .orElseThrow()
                .split(" +");
        assertThat(Long.parseLong(stats[4])).as("stored").isLessThan(Long.parseLong(stats[3]) / 2);
        assertThat(run("inspect", "page", "--dir", dir(), "--collection", "orders"))
                .isZero();
        assertThat(out.toString()).containsPattern("object key=[^ ]+ bytes=[0-9]+ compression=(zstd|none)");
    }

    /** Only the program knows how the keys of an index are made: it builds them after the import. */
    @Test
    void aCollectionWithIndexesIsRestored() throws IOException {
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            RecordCollection<String, String> tags = store.collection("tags", Keys.string(), Json.of(String.class));
            tags.index("by-value", Keys.string(), value -> value);
            tags.put("x", "red");
            tags.put("y", "blue");
        }
        String file = directory.resolve("tags.jsonl").toString();
        assertThat(run("sweep", "--dir", dir())).isZero();
        assertThat(run("export", "--dir", dir(), "--collection", "tags", file)).isZero();
        assertThat(run("import", "--dir", dir(), "--collection", "tags", file)).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[UNDECLARED_INDEX]").hasLineCount(1);
        assertThat(run("drop", "tags", "--dir", dir(), "--delete")).isZero();
        assertThat(run("import", "--dir", dir(), "--collection", "tags", file)).isZero();
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            RecordCollection<String, String> tags = store.collection("tags", Keys.string(), Json.of(String.class));
            Index<String, String, String> byValue = tags.index("by-value", Keys.string(), value -> value);
            tags.build();
            try (Scan<Entry<String, String>> blue = byValue.scan("blue")) {
                assertThat(blue.stream().map(Entry::key)).containsExactly("y");
            }
        }
        assertThat(run("verify", "--dir", dir())).isZero();
    }

    @Test
    void importsAndExportsThatCannotBe() throws IOException {
        assertThat(run("sweep", "--dir", dir())).isZero();
        String file = directory.resolve("file").toString();
        assertThat(run("export", "--dir", dir(), "--collection", "none", file)).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[NOT_FOUND]").hasLineCount(1);
        Files.writeString(Path.of(file), "secret");
        assertThat(run("export", "--dir", dir(), "--collection", "words", file)).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[ALREADY_EXISTS]").hasLineCount(1);
        assertThat(run("import", "--dir", dir(), "--collection", "words", file)).isEqualTo(Shell.USAGE);
        assertThat(err.toString())
                .contains("[CODEC_FAILURE]", "line=1")
                .doesNotContain("secret")
                .hasLineCount(1);
        assertThat(run("import", "--dir", dir(), "--collection", "words", file + "x"))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("[NOT_FOUND]").hasLineCount(1);
        assertThat(run("import", "--dir", dir(), "--collection", "words", "--format", "xml", file))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString()).hasLineCount(1);
        assertThat(content("words")).containsExactly("a=\"1\"", "b=\"2\"");
    }
}
