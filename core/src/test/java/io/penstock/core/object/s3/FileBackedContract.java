package io.penstock.core.object.s3;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The contract on a server that keeps objects as files under their keys. It lacks the keys that a file system lacks: a
 * name that is a file and a folder at once, names of dots, empty names, names of more than 255 bytes.
 */
abstract class FileBackedContract extends S3ServerContract {
    private static final int NAME_BYTES_MAX = 255;

    @Override
    protected List<String> trickyKeys() {
        Set<String> folders = new HashSet<>();
        for (String key : super.trickyKeys()) {
            for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
                folders.add(key.substring(0, slash));
            }
        }
        return super.trickyKeys().stream()
                .filter(key -> !folders.contains(key) && isPath(key))
                .toList();
    }

    private static boolean isPath(String key) {
        return List.of(key.split("/", -1)).stream()
                .allMatch(name -> !name.isEmpty()
                        && !name.equals(".")
                        && !name.equals("..")
                        && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX);
    }

    @Override
    protected List<String> trickyPrefixes() {
        return super.trickyPrefixes().stream()
                .filter(prefix -> !prefix.startsWith("."))
                .toList();
    }

    @Override
    protected String longName(int length) {
        StringBuilder name = new StringBuilder(super.longName(length));
        for (int slash = NAME_BYTES_MAX; slash < length - 1; slash += NAME_BYTES_MAX) {
            name.setCharAt(slash, '/');
        }
        return name.toString();
    }
}
