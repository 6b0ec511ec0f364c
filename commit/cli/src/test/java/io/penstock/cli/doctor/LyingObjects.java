package io.penstock.cli.doctor;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object store that breaks one promise, on top of one that keeps all. */
final class LyingObjects {
    /** The promises that it breaks, as servers do. */
    enum Lie {
        NONE,
        WRITES_OVER_WHAT_IS_THERE,
        WRITES_OVER_ANY_VERSION,
        WRITES_OVER_WHAT_IS_GONE,
        REFUSES_THE_RIGHT_VERSION,
        LOOKS_FIRST_AND_WRITES_THEN,
        READS_ARE_STALE,
        SENDS_THE_WHOLE_FOR_A_RANGE,
        LISTINGS_ARE_STALE,
        LISTINGS_END_EARLY,
        LISTS_OTHER_ETAGS,
        DELETES_NOTHING,
        DENIES_PAGES,
        DENIES_PUTS
    }

    private final Lie lie;
    private final ObjectStore truth;

    /** The first answers, by call. */
    private final Map<String, Object> stale = new HashMap<>();

    private LyingObjects(Lie lie, ObjectStore truth) {
        this.lie = lie;
        this.truth = truth;
    }

    static ObjectStore telling(Lie lie, ObjectStore truth) {
        LyingObjects liar = new LyingObjects(lie, truth);
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    Object[] given = arguments == null ? new Object[0] : arguments;
                    return method.getName().equals("put") ? liar.put(method, given) : liar.other(method, given);
                });
    }

    private @Nullable Object tell(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(truth, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private @Nullable Object put(Method method, Object[] given) throws Throwable {
        String key = (String) given[0];
        boolean absent = given[2] instanceof WriteCondition.IfAbsent;
        boolean match = given[2] instanceof WriteCondition.IfVersion;
        if (lie == Lie.DENIES_PUTS || lie == Lie.DENIES_PAGES && key.contains("/pages/")) {
            throw new RefusedException(ErrorCode.ACCESS_DENIED, "access was denied");
        }
        if (lie == Lie.REFUSES_THE_RIGHT_VERSION && match
                || lie == Lie.LOOKS_FIRST_AND_WRITES_THEN
                        && !((WriteCondition) given[2]).holds(truth.get(key).orElse(null))) {
            throw new ConflictException("the condition does not hold");
        }
        boolean ignores = lie == Lie.WRITES_OVER_WHAT_IS_THERE && absent
                || lie == Lie.WRITES_OVER_ANY_VERSION && match
                || lie == Lie.WRITES_OVER_WHAT_IS_GONE
                        && match
                        && truth.get(key).isEmpty()
                || lie == Lie.LOOKS_FIRST_AND_WRITES_THEN;
        return tell(method, key, given[1], ignores ? WriteCondition.ALWAYS : given[2]);
    }

    private @Nullable Object other(Method method, Object[] given) throws Throwable {
        String name = method.getName();
        if (lie == Lie.SENDS_THE_WHOLE_FOR_A_RANGE && name.equals("getRange")) {
            return truth.get((String) given[0]);
        }
        if (lie == Lie.DELETES_NOTHING && name.startsWith("delete")) {
            return null;
        }
        Object told = tell(method, given);
        if (lie == Lie.READS_ARE_STALE && name.equals("get")
                || lie == Lie.LISTINGS_ARE_STALE
                        && name.equals("list")
                        && given[0].toString().endsWith("/list/")) {
            return stale.computeIfAbsent(name + List.of(given).subList(0, Math.min(2, given.length)), call -> told);
        }
        if (told instanceof Listing listing && lie == Lie.LISTINGS_END_EARLY) {
            return new Listing(listing.entries(), false);
        }
        if (told instanceof Listing listing && lie == Lie.LISTS_OTHER_ETAGS) {
            return new Listing(
                    listing.entries().stream()
                            .map(entry -> new Listing.Entry(
                                    entry.key(), entry.bytes(), new ObjectVersion("other"), entry.modifiedMillis()))
                            .toList(),
                    listing.more());
        }
        return told;
    }
}
