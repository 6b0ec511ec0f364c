package io.penstock.spring;

import io.penstock.Settings;
import io.penstock.commit.settings.NamedSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The properties {@code penstock.*}. Those that are not of the starter itself are settings of the store, which knows
 * their names and refuses unknown ones.
 */
final class PenstockProperties {
    private static final String MARK = "penstock.";
    private static final String DIRECTORY = MARK + "directory";
    private static final String IN_MEMORY = MARK + "in-memory";
    private static final String BUCKET = MARK + "bucket";

    /** Less than browsers and proxies wait for an answer. */
    private static final Duration REPEAT = Duration.ofSeconds(20);

    /** The names of the properties that the starter reads itself. */
    static final List<String> OWN = List.of("repeat-transactional", "session-cookie", "session-key", "session-within");

    /** Those of them that the starter reads whatever settings the store has. */
    private static final List<String> OF_ANY_STORE = List.of("repeat-transactional", "session-cookie");

    private final Map<String, String> own = new TreeMap<>();
    private final Map<String, String> ofStore = new TreeMap<>();

    private PenstockProperties() {}

    static PenstockProperties of(Environment environment) {
        PenstockProperties properties = new PenstockProperties();
        Binder.get(environment)
                .bind("penstock", Bindable.mapOf(String.class, String.class))
                .orElse(Map.of())
                .forEach((name, value) -> properties.add(environment, name, value));
        if (properties.isInMemory()) {
            // A test says so on top of the properties of production.
            properties.ofStore.remove(DIRECTORY);
            properties.ofStore.remove(BUCKET);
        }
        return properties;
    }

    /** Refuses names that nobody knows: before the place, since a misspelt one is not a missing one. */
    void requireKnown() {
        NamedSettings.of(ofStore).requireKnown(Settings.class, OWN);
    }

    private void add(Environment environment, String name, String value) {
        if (OWN.stream().map(PenstockProperties::plain).anyMatch(plain(name)::equals)) {
            own.put(plain(name), value);
            return;
        }
        Optional<String> place = Stream.of(DIRECTORY, BUCKET, IN_MEMORY)
                .filter(known -> plain(known).equals(plain(MARK + name)))
                .findFirst();
        ofStore.put(place.orElseGet(() -> written(environment, name)), value);
    }

    /** The whole name as it was written: the store leaves out variables that are not meant for it. */
    private static String written(Environment environment, String name) {
        String variable = (MARK + name).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
        return environment.containsProperty(variable) ? variable : MARK + name;
    }

    /** A name without case and separators: environments have other ones than files. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private Optional<String> own(String name) {
        return Optional.ofNullable(own.get(plain(name))).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Settings of the store, by their whole names. */
    Map<String, String> ofStore() {
        return ofStore;
    }

    /** The names that count for nothing where the application has settings of its own. */
    List<String> hidden() {
        Stream<String> names = OWN.stream()
                .filter(name -> !OF_ANY_STORE.contains(name) && own(name).isPresent());
        return Stream.concat(
                        names.map(MARK::concat),
                        ofStore.entrySet().stream()
                                .filter(one -> !one.getValue().isBlank())
                                .map(Map.Entry::getKey))
                .toList();
    }

    private boolean isInMemory() {
        return Boolean.parseBoolean(ofStore.get(IN_MEMORY));
    }

    /** The place that is named. */
    String place() {
        String bucket = ofStore.getOrDefault(BUCKET, "");
        if (isInMemory()) {
            return "memory";
        }
        return bucket.isBlank() ? "directory " + ofStore.get(DIRECTORY) : "bucket " + bucket;
    }

    /** The time for which a transactional method is run again after conflicts. */
    Duration repeatTransactional() {
        return duration("repeat-transactional").orElse(REPEAT);
    }

    Optional<String> sessionCookie() {
        return own("session-cookie");
    }

    /** The keys that sign session tokens, newest first. */
    Optional<byte[][]> sessionKey() {
        return own("session-key").map(text -> {
            List<byte[]> keys = new ArrayList<>();
            for (String key : text.split(",")) {
                keys.add(key.strip().getBytes(StandardCharsets.UTF_8));
            }
            return keys.toArray(byte[][]::new);
        });
    }

    Optional<Duration> sessionWithin() {
        return duration("session-within");
    }

    private Optional<Duration> duration(String name) {
        return own(name).map(text -> NamedSettings.duration(name, text));
    }
}
