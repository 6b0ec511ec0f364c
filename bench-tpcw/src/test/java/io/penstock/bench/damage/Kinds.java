package io.penstock.bench.damage;

import io.penstock.core.Bytes;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the objects of a store are, in a word or two: as their keys, their bytes and the catalog tell. */
final class Kinds {
    private static final int AT_KIND = 6;
    private static final String ROOT = "/0000000000000001";
    private static final Pattern PENDING = Pattern.compile("\"pending\" : \"([0-9a-f]{16})\"");

    private final Set<String> keys;
    private final Set<String> pending = new TreeSet<>();

    /** @param objects all objects of the store */
    Kinds(Map<String, Bytes> objects) {
        keys = objects.keySet();
        objects.forEach((key, body) -> {
            if (folder(key).equals("catalog")) {
                Matcher trees = PENDING.matcher(body.toUtf8());
                while (trees.find()) {
                    pending.add(trees.group(1));
                }
            }
        });
    }

    Target target(String key, Bytes body) {
        return new Target(key, of(key, body));
    }

    String of(String key, Bytes body) {
        return switch (folder(key)) {
            case "pages" -> page(key, body);
            case "log" -> "segment of a log";
            case "domains" -> "horizon of a log";
            case "clients" -> client(key);
            case "catalog" -> key.endsWith(".mark") ? "mark" : "catalog";
            default -> key.endsWith(".reason") ? "reason" : folder(key);
        };
    }

    static boolean isLeaf(Bytes page) {
        return page.at(AT_KIND) == 1;
    }

    private static String folder(String key) {
        return key.split("/", -1)[1];
    }

    private String page(String key, Bytes body) {
        String tree = key.split("/", -1)[2];
        String kind = switch (body.at(AT_KIND)) {
            case 1 -> "leaf";
            case 2 -> "inner page";
            case 3 -> "ledger";
            default -> "retired leaf";
        };
        if (kind.equals("ledger")) {
            return kind;
        }
        if (!keys.contains(key.substring(0, key.lastIndexOf('/')) + ROOT)) {
            return kind + " without a root";
        }
        return (key.endsWith(ROOT) ? "root " : "") + kind + (pending.contains(tree) ? " of pending records" : "");
    }

    private static String client(String key) {
        if (key.endsWith("/sweep")) {
            return "sweep turn";
        }
        return key.contains("/name.") ? "name" : "client";
    }
}
