package io.penstock.bench.damage;

import io.penstock.core.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The list of all damages to the files of a local store. */
final class FileDamages {
    /** Files are small: all bits of so many bytes in front are turned, the longest header of an object or segment. */
    private static final int HEADER_BYTES = 64;

    private static final String OBJECTS = "objects";

    private static final int OBJECT_HEADER_BYTES = 40;

    /** Of longer files, such as the one that keeps earlier releases out, fewer bits are turned. */
    private static final int LONG_BYTES = 32 << 10;

    private static final int LONG_SAMPLE = 100;

    private FileDamages() {}

    /** A change of files within a directory. */
    @FunctionalInterface
    private interface Change {
        void in(Path directory) throws IOException;
    }

    static List<Damage<Path>> of(LocalSpecimen specimen, int every) {
        List<Damage<Path>> all = new ArrayList<>();
        Map<String, List<Path>> before = new TreeMap<>();
        Kinds kinds = new Kinds(specimen.files().stream()
                .filter(file -> file.startsWith(OBJECTS))
                .collect(Collectors.toMap(FileDamages::key, file -> body(specimen.bytes(file)))));
        for (Path file : specimen.files()) {
            byte[] bytes = specimen.bytes(file);
            Target target = new Target(file.toString(), kind(file, bytes, kinds));
            all.add(damage(target, Damage.REMOVED, directory -> Files.delete(directory.resolve(file))));
            all.add(changed(target, Damage.CUT, now -> Arrays.copyOf(now, now.length / 2)));
            all.add(changed(target, Damage.EMPTIED, now -> new byte[0]));
            all.add(changed(target, Damage.LENGTHENED, now -> Arrays.copyOf(now, now.length + Damage.LONGER_BYTES)));
            specimen.bytesBefore(file)
                    .filter(old -> !Arrays.equals(old, bytes))
                    .ifPresent(old -> all.add(changed(target, Damage.OLDER, now -> old)));
            List<Path> others = before.computeIfAbsent(target.kind(), kind -> new ArrayList<>());
            others.forEach(other -> all.add(damage(target, Damage.SWAPPED, directory -> swap(directory, file, other))));
            others.add(file);
            int sample = bytes.length > LONG_BYTES ? every * LONG_SAMPLE : every;
            Flips.of(bytes.length, HEADER_BYTES, sample, all.size(), (index, bit) -> {
                all.add(changed(target, Damage.TURNED, now -> {
                    now[index] ^= (byte) (1 << bit);
                    return now;
                }));
            });
        }
        return all;
    }

    private static Damage<Path> damage(Target target, String what, Change change) {
        return Damage.of(target, what, directory -> {
            try {
                change.in(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Damage<Path> changed(Target target, String what, UnaryOperator<byte[]> change) {
        return damage(target, what, directory -> {
            Path file = directory.resolve(target.key());
            Files.write(file, change.apply(Files.readAllBytes(file)));
        });
    }

    private static void swap(Path directory, Path one, Path other) throws IOException {
        byte[] first = Files.readAllBytes(directory.resolve(one));
        Files.copy(directory.resolve(other), directory.resolve(one), StandardCopyOption.REPLACE_EXISTING);
        Files.write(directory.resolve(other), first);
    }

    private static String kind(Path file, byte[] bytes, Kinds kinds) {
        if (file.startsWith(OBJECTS)) {
            return "file of " + kinds.of(key(file), body(bytes));
        }
        return file.toString().endsWith(".log") ? "file of queues" : "file " + file.getFileName();
    }

    private static Bytes body(byte[] file) {
        return Bytes.wrap(file).slice(OBJECT_HEADER_BYTES, file.length);
    }

    /** The key of the object that a file holds. */
    private static String key(Path file) {
        String path = file.toString().substring(OBJECTS.length() + 1).replace(".d/", "/");
        return path.substring(0, path.length() - ".o".length());
    }
}
