package io.penstock.commit.settings;

import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings by name, as properties and environments have them. A setting is a public method that takes one value of a
 * type that text has a form for, and returns changed settings; its name is the method's in kebab case. Case and
 * separators do not count: {@code pool-bytes}, {@code POOL_BYTES} and {@code poolBytes} are one. Those of a
 * group follow its name: {@code advanced.lease}.
 */
public final class NamedSettings {
    /** The prefixes that mark a name as one of these settings. */
    private static final List<String> MARKS = List.of("penstock.", "PENSTOCK_");

    /** The environment variables that Kubernetes sets for a service of this name, or of one that begins with it. */
    private static final Pattern OF_SERVICE = Pattern.compile(
            "PENSTOCK_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final String DIRECTORY = "directory";
    private static final String DURABILITY = "durability";
    private static final String SHARED = "shared";
    private static final String IN_MEMORY = "in-memory";
    private static final String BUCKET = "bucket";
    private static final String REGION = "region";
    private static final String ENDPOINT = "endpoint";
    private static final String ENDPOINT_S3 = "endpoint-s3";
    private static final String PATH_STYLE = "path-style";
    private static final String CREATE_BUCKET = "create-bucket";
    private static final String SQS = "sqs";
    private static final String ENDPOINT_SQS = "endpoint-sqs";

    /** The names of a store's place, and of what is said of it. */
    public static final List<String> PLACE = List.of(
            DIRECTORY,
            DURABILITY,
            SHARED,
            IN_MEMORY,
            BUCKET,
            REGION,
            ENDPOINT,
            ENDPOINT_S3,
            PATH_STYLE,
            CREATE_BUCKET,
            SQS,
            ENDPOINT_SQS);

    /** The values by their plain names; {@link #plain}. */
    private final Map<String, Given> given = new TreeMap<>();

    /** @param name the name as it was written */
    private record Given(String name, String value) {}

    private NamedSettings() {}

    /**
     * The settings among these entries. If names begin with {@code penstock.} or {@code PENSTOCK_}, or the entries are
     * this process's environment or properties, those alone count; else all do. An empty value is none, and so is a
     * variable that describes a service.
     */
    public static NamedSettings of(Map<?, ?> entries) {
        Bounds.requirePresent("settings", entries);
        NamedSettings named = new NamedSettings();
        Map<String, String> texts = new TreeMap<>();
        entries.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        boolean ofProcess = entries.equals(System.getenv()) || entries.equals(System.getProperties());
        boolean marked = ofProcess || texts.keySet().stream().anyMatch(NamedSettings::isMarked);
        texts.forEach((name, value) -> {
            if (isMarked(name) == marked
                    && !value.isBlank()
                    && !OF_SERVICE.matcher(name).matches()) {
                named.add(marked ? name.substring("penstock.".length()) : name, new Given(name, value.strip()));
            }
        });
        return named;
    }

    private static boolean isMarked(String name) {
        return MARKS.stream().anyMatch(name::startsWith);
    }

    private void add(String name, Given one) {
        Given before = given.put(plain(name), one);
        if (before != null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a setting has two values; remove one",
                    "setting",
                    one.name(),
                    "and",
                    before.name());
        }
    }

    /** A name without case and separators. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private @Nullable String take(String name) {
        Given found = given.remove(plain(name));
        return found == null ? null : found.value();
    }

    /** The only place that these name: a directory, a bucket, or the memory of this process. */
    public Servers place() {
        Map<String, String> named = new TreeMap<>();
        PLACE.forEach(name -> {
            String value = take(name);
            if (value != null) {
                named.put(name, value);
            }
        });
        boolean inMemory = flag(named, IN_MEMORY);
        List<String> places = Stream.of(BUCKET, DIRECTORY, IN_MEMORY)
                .filter(name -> name.equals(IN_MEMORY) ? inMemory : named.containsKey(name))
                .toList();
        if (places.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.NO_PLACE,
                    "a store needs one place; set directory, bucket or in-memory, or use Settings.on for servers");
        }
        if (places.size() > 1) {
            throw new InvalidRequestException(
                    ErrorCode.TWO_PLACES,
                    "a store has two places; leave one out, or set it to empty",
                    places.get(0),
                    named.get(places.get(0)),
                    places.get(1),
                    named.get(places.get(1)));
        }
        return switch (places.getFirst()) {
            case BUCKET -> bucket(named);
            case DIRECTORY -> directory(named);
            default -> inMemory();
        };
    }

    private static Servers directory(Map<String, String> named) {
        String durability = named.getOrDefault(DURABILITY, Durability.FLUSHED.name());
        return new Servers.Local(
                LocalCloud.directory(Objects.requireNonNull(named.get(DIRECTORY))),
                (Durability) SettingText.read(DURABILITY, durability, Durability.class),
                flag(named, SHARED));
    }

    private static Servers bucket(Map<String, String> named) {
        BucketAddress address = new BucketAddress(
                Objects.requireNonNull(named.get(BUCKET)),
                Optional.ofNullable(named.get(REGION)),
                uri(named, ENDPOINT).or(() -> uri(named, ENDPOINT_S3)),
                flag(named, PATH_STYLE),
                flag(named, CREATE_BUCKET));
        Optional<URI> queues = uri(named, ENDPOINT_SQS);
        return new Servers.Bucket(address, queues.isPresent() || flag(named, SQS), queues);
    }

    private static boolean flag(Map<String, String> named, String name) {
        return (Boolean) SettingText.read(name, named.getOrDefault(name, "false"), boolean.class);
    }

    private static Optional<URI> uri(Map<String, String> named, String name) {
        return Optional.ofNullable(named.get(name)).map(text -> (URI) SettingText.read(name, text, URI.class));
    }

    /** A new store in the memory of this process. */
    public static Servers inMemory() {
        Tasks tasks = new ThreadTasks();
        return new Servers.Given(
                new MemoryObjectStore(tasks), new MemoryQueueService(tasks), tasks, Servers.Sharing.THIS_MACHINE);
    }

    /** The duration that a text says, for settings of others; see {@link Bounds#requireNotNegative}. */
    public static Duration duration(String name, String text) {
        return Bounds.requireNotNegative(name, (Duration) SettingText.read(name, text.strip(), Duration.class));
    }

    /**
     * A method that changes settings by one value.
     *
     * @param group the method around it, such as {@code advanced}; null for none
     */
    private record Setter(@Nullable Method group, Method method) {
        String name() {
            return group == null ? kebab(method) : kebab(group) + "." + kebab(method);
        }

        Object change(Object settings, String text) {
            Object value = SettingText.read(name(), text, method.getParameterTypes()[0]);
            UnaryOperator<Object> inner = of -> invoke(of, method, value);
            return group == null ? inner.apply(settings) : invoke(settings, group, inner);
        }
    }

    /**
     * Changes {@code settings} by all that is named.
     *
     * @throws InvalidRequestException when a name is unknown or a value has no meaning
     */
    public <S> S applyTo(S settings) {
        Map<String, Setter> setters = setters(settings.getClass());
        requireKnown(setters, List.of());
        Object changed = settings;
        for (Map.Entry<String, Setter> setter : setters.entrySet()) {
            Given one = given.get(setter.getKey());
            changed = one == null ? changed : setter.getValue().change(changed, one.value());
        }
        @SuppressWarnings("unchecked") // each method returns settings
        S result = (S) changed;
        return result;
    }

    /**
     * Checks the names, of places too.
     *
     * @param more names that are known besides
     * @throws InvalidRequestException when a name is unknown
     */
    public void requireKnown(Class<?> settings, List<String> more) {
        requireKnown(
                setters(settings), Stream.concat(PLACE.stream(), more.stream()).toList());
    }

    private void requireKnown(Map<String, Setter> setters, List<String> others) {
        given.forEach((name, one) -> {
            if (!setters.containsKey(name)
                    && others.stream().noneMatch(other -> plain(other).equals(name))) {
                throw unknown(name, one, setters, others.isEmpty() ? PLACE : others);
            }
        });
    }

    private static Object invoke(Object settings, Method method, Object value) {
        try {
            return method.invoke(settings, value);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InvalidRequestException unknown(
            String plain, Given given, Map<String, Setter> setters, List<String> others) {
        String nearest = Stream.concat(
                        others.stream(), setters.values().stream().map(Setter::name))
                .min(Comparator.comparingInt(known ->
                        distance(plain(known.substring(known.indexOf('.') + 1)), plain.replaceFirst("^advanced", ""))))
                .orElseThrow();
        return new InvalidRequestException(
                ErrorCode.UNKNOWN_SETTING,
                "there is no setting of this name; the nearest is given",
                "name",
                given.name(),
                "nearest",
                nearest);
    }

    /** The names of all settings of {@code type} that text can give, sorted. */
    public static List<String> names(Class<?> type) {
        return setters(type).values().stream().map(Setter::name).sorted().toList();
    }

    /** Returns the methods of a class, and those of a group in it, by their plain names. */
    private static Map<String, Setter> setters(Class<?> type) {
        Map<String, Setter> setters = new TreeMap<>();
        for (Method method : type.getMethods()) {
            Optional<Class<?>> group = group(type, method);
            if (isSetter(type, method)) {
                setters.put(plain(method.getName()), new Setter(null, method));
            } else if (group.isPresent()) {
                Stream.of(group.get().getMethods())
                        .filter(inner -> isSetter(group.get(), inner))
                        .forEach(inner ->
                                setters.put(plain(method.getName() + inner.getName()), new Setter(method, inner)));
            }
        }
        return setters;
    }

    private static boolean isSetter(Class<?> type, Method method) {
        return method.getReturnType() == type
                && !Modifier.isStatic(method.getModifiers())
                && method.getParameterCount() == 1
                && SettingText.isReadable(method.getParameterTypes()[0]);
    }

    /** The class of the settings that a method changes as a group: its argument is an operator on them. */
    private static Optional<Class<?>> group(Class<?> type, Method method) {
        return method.getReturnType() == type
                        && method.getParameterCount() == 1
                        && method.getGenericParameterTypes()[0] instanceof ParameterizedType operator
                        && operator.getRawType() == UnaryOperator.class
                        && operator.getActualTypeArguments()[0] instanceof Class<?> inner
                ? Optional.of(inner)
                : Optional.empty();
    }

    private static String kebab(Method method) {
        return method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The insertions, deletions and replacements of characters between two names. */
    private static int distance(String left, String right) {
        List<Integer> row = new ArrayList<>();
        for (int j = 0; j <= right.length(); j++) {
            row.add(j);
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row.get(0);
            row.set(0, i);
            for (int j = 1; j <= right.length(); j++) {
                int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row.get(j);
                row.set(j, Math.min(replaced, Math.min(diagonal, row.get(j - 1)) + 1));
            }
        }
        return row.get(right.length());
    }
}
