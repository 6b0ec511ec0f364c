package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to damage a file of a local store.
 *
 * @param content what takes the place of the file's; null: the file is removed
 */
record FileDamage(Target target, String what, byte @Nullable [] content) {
    /** Files are small: all bits of so many bytes in front are turned, the longest header of an object or segment. */
    private static final int HEADER_BYTES = 64;

    private static final int OBJECT_HEADER_BYTES = 40;

    /** Of longer files, such as the one that keeps earlier releases out, fewer bits are turned. */
    private static final int LONG_BYTES = 32 << 10;

    private static final int LONG_SAMPLE = 100;

    static List<FileDamage> of(LocalSpecimen specimen, int every) {
        List<FileDamage> all = new ArrayList<>();
        for (Path file : specimen.files()) {
            byte[] bytes = specimen.bytes(file);
            Target target = new Target(file.toString(), kind(file, bytes));
            all.add(new FileDamage(target, "removed", null));
            all.add(new FileDamage(target, "cut", Arrays.copyOf(bytes, bytes.length / 2)));
            all.add(new FileDamage(target, "emptied", new byte[0]));
            all.add(new FileDamage(target, "lengthened", Arrays.copyOf(bytes, bytes.length + 16)));
            int sample = bytes.length > LONG_BYTES ? every * LONG_SAMPLE : every;
            Flips.of(bytes.length, HEADER_BYTES, sample, all.size(), (index, bit) -> {
                byte[] turned = bytes.clone();
                turned[index] ^= (byte) (1 << bit);
                all.add(new FileDamage(target, Damage.TURNED, turned));
            });
        }
        return all;
    }

    private static String kind(Path file, byte[] bytes) {
        String name = file.toString();
        if (!name.startsWith("objects")) {
            return name.endsWith(".log") ? "file of queues" : "file " + file.getFileName();
        }
        String key = file.subpath(1, file.getNameCount()).toString().replace(".d/", "/");
        Bytes body = Bytes.wrap(bytes).slice(OBJECT_HEADER_BYTES, bytes.length);
        return "file of "
                + Target.object(key.substring(0, key.length() - ".o".length()), body)
                        .kind();
    }

    void strike(Path directory) {
        Path file = directory.resolve(target.key());
        byte[] next = content;
        try {
            if (next == null) {
                Files.delete(file);
            } else {
                Files.write(file, next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
