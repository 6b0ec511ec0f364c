package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import java.util.function.Predicate;

/**
 * What is damaged.
 *
 * @param key of an object; of a message its number among all messages
 * @param kind what it is, in a word or two
 */
record Target(String key, String kind) {
    private static final int AT_KIND = 6;
    private static final String LEDGER = "ledger";

    /** Of pages that no root leads to. */
    private static final String OF_A_BUILD = " of an unfinished build";

    private static final String ROOT = "/0000000000000001";

    static Target message(int number) {
        return new Target(Integer.toString(number), "message");
    }

    /** @param present whether there is an object of such a key */
    static Target object(String key, Bytes body, Predicate<String> present) {
        String kind = kind(key, body);
        boolean loose = folder(key).equals("pages")
                && !kind.equals(LEDGER)
                && !present.test(key.substring(0, key.lastIndexOf('/')) + ROOT);
        return new Target(key, loose ? kind + OF_A_BUILD : kind);
    }

    /** Whether a failure is about this: by its key, or by the collection whose definition it is. */
    boolean isNamedBy(String message) {
        String file = key.substring(key.lastIndexOf('/') + 1);
        return message.contains(key)
                || kind.equals("catalog") && message.contains("unreadable=" + file.replace(".json", ""));
    }

    private static String kind(String key, Bytes body) {
        String folder = folder(key);
        return switch (folder) {
            case "pages" -> page(key, body);
            case "log" -> "segment of a log";
            case "domains" -> "horizon of a log";
            default -> folder;
        };
    }

    /** What an object is as far as its key tells. */
    private static String folder(String key) {
        String folder = key.split("/", -1)[1];
        if (key.endsWith(".reason")) {
            return "reason";
        }
        return folder.equals("clients") ? client(key) : folder;
    }

    private static String page(String key, Bytes body) {
        String kind = switch (body.at(AT_KIND)) {
            case 1 -> "leaf";
            case 2 -> "inner page";
            case 3 -> LEDGER;
            default -> "retired leaf";
        };
        return key.endsWith(ROOT) ? "root " + kind : kind;
    }

    private static String client(String key) {
        if (key.endsWith("/sweep")) {
            return "sweep turn";
        }
        return key.contains("/name.") ? "name" : "client";
    }
}
