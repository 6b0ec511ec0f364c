package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.commit.settings.NamedSettings;
import io.penstock.commit.settings.Servers;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.BucketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings by name, and stores in memory, which tests of programs open by one of them. */
class NamedSettingsTest {
    @TempDir
    private Path directory;

    @Test
    void aMapNamesPlaceAndSettings() {
        Settings settings = Settings.from(Map.of(
                "directory", directory.toString(),
                "durability", "os-cache",
                "level", "serializable",
                "pool-bytes", "128MB",
                "page-bytes", "4096",
                "ttl", "500ms",
                "advanced.layout", "4",
                "client-name", "pod-1",
                "checkpointing", "false"));
        assertThat(settings.level()).isEqualTo(ConsistencyLevel.SERIALIZABLE);
        assertThat(settings.forStore().paging().pool().bytesMax()).isEqualTo(128L << 20);
        assertThat(settings.forStore().limits().ttl()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.forStore().client().name()).contains("pod-1");
        assertThat(settings.forStore().background().checkpointing()).isFalse();
        try (Penstock store = Penstock.open(settings)) {
            assertThat(store.collections()).isEmpty();
        }
        assertThat(directory).isNotEmptyDirectory();
    }

    @Test
    void propertiesAndEnvironmentsHaveTheSameNames() {
        Properties properties = new Properties();
        properties.setProperty("penstock.in-memory", "true");
        properties.setProperty("penstock.closeWithin", "PT3S");
        properties.setProperty("java.io.tmpdir", "elsewhere");
        Map<String, String> environment =
                Map.of("PENSTOCK_IN_MEMORY", "true", "PENSTOCK_CLOSE_WITHIN", "3s", "PATH", "/bin");
        for (Map<?, ?> named : Set.of(properties, environment)) {
            assertThat(Settings.from(named).forStore().background().closeWithin())
                    .isEqualTo(Duration.ofSeconds(3));
        }
    }

    /** Kubernetes puts them into the environment of each program beside services whose names begin with ours. */
    @Test
    void variablesOfServicesAreNoSettings() {
        Map<String, String> environment = new HashMap<>(Map.of("PENSTOCK_IN_MEMORY", "true", "PENSTOCK_TTL", "5s"));
        for (String service : List.of("PENSTOCK", "PENSTOCK_SHOP", "PENSTOCK_2")) {
            environment.put(service + "_SERVICE_HOST", "10.96.12.7");
            environment.put(service + "_SERVICE_PORT", "8080");
            environment.put(service + "_SERVICE_PORT_HTTP", "8080");
            environment.put(service + "_PORT", "tcp://10.96.12.7:8080");
            for (String port : List.of("_PORT_8080_TCP", "_PORT_53_UDP", "_PORT_7_SCTP")) {
                environment.put(service + port, "tcp://10.96.12.7:8080");
                environment.put(service + port + "_PROTO", "tcp");
                environment.put(service + port + "_PORT", "8080");
                environment.put(service + port + "_ADDR", "10.96.12.7");
            }
        }
        assertThat(Settings.from(environment).forStore().limits().ttl()).isEqualTo(Duration.ofSeconds(5));
        environment.put("PENSTOCK_TTTL", "5s");
        assertThatThrownBy(() -> Settings.from(environment)).hasMessageContaining("name=PENSTOCK_TTTL nearest=ttl");
        assertRefused(ErrorCode.UNKNOWN_SETTING, Map.of("penstock.port", "8080"), "name=penstock.port");
        assertRefused(ErrorCode.UNKNOWN_SETTING, Map.of("PORT", "8080"), "name=PORT");
    }

    @Test
    void blanksAroundAValueAreNoPartOfIt() {
        String spaced = NamedSettings.of(
                        Map.of("bucket", " shop\r", "region", " eu-west-1 ", "endpoint", "http://127.0.0.1:1 "))
                .place()
                .toString();
        String plain = NamedSettings.of(
                        Map.of("bucket", "shop", "region", "eu-west-1", "endpoint", "http://127.0.0.1:1"))
                .place()
                .toString();
        assertThat(spaced).isEqualTo(plain).contains("shop");
    }

    @Test
    void anEmptyValueIsNone() {
        Map<String, String> environment = Map.of(
                "PENSTOCK_IN_MEMORY", "true",
                "PENSTOCK_DIRECTORY", "",
                "PENSTOCK_DURABILITY", "",
                "PENSTOCK_TTL", "",
                "PENSTOCK_LEVEL", " ",
                "PENSTOCK_CLIENT_NAME", "");
        Settings settings = Settings.from(environment);
        assertThat(settings.forStore().limits().ttl())
                .isEqualTo(Settings.inMemory().forStore().limits().ttl());
        assertThat(settings.forStore().client().name()).isEmpty();
        assertThatThrownBy(() -> Settings.from(Map.of("PENSTOCK_IN_MEMORY", "", "PENSTOCK_DIRECTORY", "")))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.NO_PLACE));
    }

    /** That of this process, as far as nobody has set it up. */
    @Test
    void anEnvironmentMayHaveNoSettings() {
        assumeThat(System.getenv().keySet()).noneMatch(name -> name.startsWith("PENSTOCK_"));
        Settings settings = Settings.inMemory().with(System.getenv());
        assertThat(settings.level()).isEqualTo(Settings.inMemory().level());
        assertThatThrownBy(() -> Settings.from(System.getenv())).is(code(ErrorCode.NO_PLACE));
    }

    @Test
    void advancedSettingsHaveTheNameOfTheirGroup() {
        for (String name : List.of("advanced.lease", "penstock.advanced.lease", "PENSTOCK_ADVANCED_LEASE")) {
            assertThat(Settings.inMemory()
                            .with(Map.of(name, "7s"))
                            .forStore()
                            .limits()
                            .lease())
                    .isEqualTo(Duration.ofSeconds(7));
        }
        assertRefused(Map.of("advanced.lease", "13h"), "setting=lease");
        assertRefused(ErrorCode.UNKNOWN_SETTING, Map.of("lease", "7s"), "name=lease nearest=advanced.lease");
        assertRefused(ErrorCode.UNKNOWN_SETTING, Map.of("advanced.ttl", "7s"), "name=advanced.ttl nearest=ttl");
    }

    @Test
    void heartbeatsFollowTheTimeOfDeath() {
        Settings settings = Settings.inMemory();
        assertThat(heartbeats(settings)).isEqualTo(Duration.ofSeconds(30));
        assertThat(heartbeats(settings.deadAfter(Duration.ofDays(36_500)))).isEqualTo(Duration.ofSeconds(30));
        assertThat(heartbeats(settings.deadAfter(Duration.ofSeconds(20)))).isEqualTo(Duration.ofMillis(2001));
        assertThat(heartbeats(settings.advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(9)))))
                .isEqualTo(Duration.ofSeconds(9));
        assertThatThrownBy(() -> heartbeats(settings.deadAfter(Duration.ofNanos(1))))
                .is(code(ErrorCode.INVALID_SETTING));
    }

    private static Duration heartbeats(Settings settings) {
        return settings.forStore().background().heartbeatInterval();
    }

    @Test
    void anUnknownNameIsToldTheNearest() {
        assertRefused(ErrorCode.UNKNOWN_SETTING, Map.of("pool-byte", "1"), "name=pool-byte nearest=pool-bytes");
        assertRefused(
                ErrorCode.UNKNOWN_SETTING,
                Map.of("penstock.time-to-live", "1s"),
                "name=penstock.time-to-live nearest=");
    }

    @Test
    void aValueOfNoMeaningIsRefused() {
        assertRefused(Map.of("ttl", "30"), "setting=ttl value=30");
        assertRefused(Map.of("ttl", "soon"), "such as 30s");
        assertRefused(Map.of("pool-bytes", "64 elephants"), "such as 64MB");
        assertRefused(Map.of("pool-bytes", "999999999999999999TB"), "such as 64MB");
        assertRefused(Map.of("page-bytes", "4GB"), "below 2 billion");
        assertRefused(Map.of("advanced.block-bytes", "4 KiB"), "such as 64MB");
        assertRefused(Map.of("checkpointing", "yes"), "true or false");
        assertRefused(Map.of("level", "strict"), "one of NAIVE");
        assertRefused(Map.of("advanced.layout", "wide"), "per-leaf");
        assertRefused(Map.of("ttl", "-1s"), "must be positive");
        assertRefused(Map.of("ttl", "1s", "TTL", "2s"), "two values");
    }

    private static void assertRefused(Map<String, String> named, String said) {
        assertRefused(ErrorCode.INVALID_SETTING, named, said);
    }

    private static void assertRefused(ErrorCode why, Map<String, String> named, String said) {
        assertThatThrownBy(() -> Settings.inMemory().with(named))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(why))
                .hasMessageContaining(said)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aMisspeltPlaceIsToldAsSuch() {
        assertThatThrownBy(() -> Settings.from(Map.of("directry", "shop")))
                .is(code(ErrorCode.UNKNOWN_SETTING))
                .hasMessageContaining("name=directry nearest=directory");
    }

    @Test
    void aStoreHasOnePlace() {
        assertThatThrownBy(() -> Settings.from(Map.of())).is(code(ErrorCode.NO_PLACE));
        assertThatThrownBy(() -> Settings.from(Map.of("in-memory", "true", "directory", "shop")))
                .is(code(ErrorCode.TWO_PLACES))
                .hasMessageContaining("set it to empty directory=shop in-memory=true");
        assertThatThrownBy(() -> Settings.from(Map.of("bucket", "shop", "directory", "shop")))
                .is(code(ErrorCode.TWO_PLACES));
        Settings.from(Map.of("in-memory", "true", "directory", ""));
        Settings.from(Map.of("bucket", "shop", "directory", "", "in-memory", "false"));
        assertThatThrownBy(() -> Settings.inMemory().with(Map.of("directory", "shop")))
                .isInstanceOf(InvalidRequestException.class);
    }

    /** The bucket itself is opened with the store: LocalStackTest of penstock-junit does. */
    @Test
    void aBucketHasItsServersByName() {
        assertThat(Settings.from(Map.of("bucket", "gs://shop")).servers())
                .isEqualTo(new Servers.Bucket(
                        new BucketAddress("gs://shop", Optional.empty(), Optional.empty(), false, false),
                        false,
                        Optional.empty()));
        Map<String, String> named = Map.of(
                "PENSTOCK_BUCKET", "shop",
                "PENSTOCK_REGION", "eu-central-1",
                "PENSTOCK_ENDPOINT_S3", "http://s3:1",
                "PENSTOCK_PATH_STYLE", "true",
                "PENSTOCK_CREATE_BUCKET", "TRUE",
                "PENSTOCK_ENDPOINT_SQS", "http://sqs:2");
        assertThat(Settings.from(named).servers())
                .isEqualTo(new Servers.Bucket(
                        new BucketAddress(
                                "shop",
                                Optional.of("eu-central-1"),
                                Optional.of(URI.create("http://s3:1")),
                                true,
                                true),
                        true,
                        Optional.of(URI.create("http://sqs:2"))));
        for (String wrong : List.of("localhost", "http://", "a b", "//h", "ftp://h", "http://127.0.0.1:99999")) {
            assertThatThrownBy(() -> Settings.from(Map.of("bucket", "shop", "endpoint", wrong)))
                    .is(code(ErrorCode.INVALID_SETTING))
                    .hasMessageContaining("give the address of a server, such as http://127.0.0.1:4566");
        }
        assertThatThrownBy(() -> Settings.from(Map.of("bucket", "shop", "sqs", "yes")))
                .is(code(ErrorCode.INVALID_SETTING));
    }

    /** They ended in exceptions of the JDK, or made directories of such names. */
    @Test
    void pathsThatAreNoneAreRefused() {
        for (String path : List.of("a\0b", "\ud800", "~/shop", "~", "file:///shop", "file:/shop", "s3://shop/books")) {
            assertThatThrownBy(() -> Settings.from(Map.of("directory", path)))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING))
                    .hasMessageContaining("a directory is named by a path without a scheme or ~; correct it");
        }
        assertThatThrownBy(() -> Settings.from(Map.of("directory", "shop", "encryption", "file:a\0b")))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING))
                .hasMessageEndingWith("path=file:a?b");
    }

    /** What the page lists has a name, except for what OPERATIONS says has none. */
    @Test
    void everySettingOfThePageHasItsName() throws Exception {
        String operations = Files.readString(Repository.ROOT.resolve("docs/OPERATIONS.md"));
        Set<String> nameless = new TreeSet<>();
        int list = operations.indexOf("have no name:");
        Matcher after =
                Pattern.compile("`(\\w+)`").matcher(operations.substring(list, operations.indexOf("\n\n", list)));
        while (after.find()) {
            nameless.add(after.group(1));
        }
        String page = Files.readString(Repository.ROOT.resolve("docs/SETTINGS.md"));
        Set<String> names = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| `(\\w+)` \\|").matcher(page);
        while (row.find()) {
            if (!nameless.contains(row.group(1))) {
                String group = row.start() < page.indexOf("## Advanced") ? "" : "advanced.";
                names.add(group + row.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
            }
        }
        assertThat(NamedSettings.names(Settings.class)).containsExactlyElementsOf(names);
    }

    @Test
    void handlesOfOneStoreInMemoryShareIt() {
        Settings settings = Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE);
        try (Penstock first = Penstock.open(settings)) {
            numbers(first).put("a", 1L);
        }
        try (Penstock second = Penstock.open(settings.ttl(Duration.ofSeconds(1)))) {
            assertThat(numbers(second).get("a")).contains(1L);
            assertThat(second.admin().verify().isSound()).isTrue();
        }
        try (Penstock other = Penstock.open(Settings.inMemory())) {
            assertThat(other.collections()).isEmpty();
        }
    }

    private static RecordCollection<String, Long> numbers(Penstock store) {
        return store.collection("numbers", Keys.string(), Json.of(Long.class));
    }
}
