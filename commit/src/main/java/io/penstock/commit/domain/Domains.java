package io.penstock.commit.domain;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStores;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The domains of a store, by name, each made when it is first used. Safe for many threads. */
public final class Domains {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

    /** The folder of the horizons, below the store's prefix. */
    static final String FOLDER = "domains/";

    /** The folder of the logs, below the store's prefix. */
    static final String LOGS = "log/";

    /** The key prefix, in the folder of a log, of transactions handed in; it sorts before all segments. */
    static final String HANDED_IN = "+";

    private final Parts parts;
    private final ConcurrentHashMap<String, Domain> used = new ConcurrentHashMap<>();

    public Domains(Parts parts) {
        this.parts = parts;
    }

    public Domain of(String name) {
        return used.computeIfAbsent(requireName(name), made -> new Domain(made, parts));
    }

    /** The domains that this client has used, in any order. */
    public Collection<Domain> used() {
        return List.copyOf(used.values());
    }

    /** Returns all domains of the store, with those of which only a log is left. */
    public Collection<Domain> found() {
        String folder = parts.prefix() + LOGS;
        String after = folder;
        while (true) {
            Optional<String> next = parts.log().list(folder, after, 1).entries().stream()
                    .map(entry -> entry.key().substring(folder.length()))
                    .findFirst();
            if (next.isEmpty()) {
                break;
            }
            String name = next.get().split("/", 2)[0];
            if (NAME.matcher(name).matches()) {
                of(name);
            }
            after = folder + name + "0"; // the character after the slash: behind all of this folder
        }
        String horizons = parts.prefix() + FOLDER;
        ObjectStores.listAll(parts.log(), horizons).stream()
                .map(entry -> entry.key().substring(horizons.length()))
                .filter(name -> NAME.matcher(name).matches())
                .forEach(this::of);
        return used();
    }

    /** The beginning of the keys of transactions that were handed in to a domain. */
    public static String intake(String prefix, String domain) {
        return prefix + LOGS + domain + "/" + HANDED_IN;
    }

    /** Checks the name of a domain, which is part of object keys and of a queue's name. */
    public static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a domain's name has 1 to 32 of a-z, 0-9 and hyphens, no hyphen first; choose another",
                    "domain",
                    name);
        }
        return name;
    }
}
