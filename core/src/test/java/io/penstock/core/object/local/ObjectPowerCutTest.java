package io.penstock.core.object.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.CutDisk;
import io.penstock.testing.CutDisk.Loss;
import io.penstock.testing.InlineTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power fails at any moment: every object is as it was acknowledged last, or as the put under way has it. */
class ObjectPowerCutTest {
    private static final String NONE = "";

    @TempDir
    Path directory;

    @Test
    void lives() throws IOException {
        liveFrom(0, 40);
    }

    @Test
    @Tag("long")
    void manyLives() throws IOException {
        liveFrom(1_000, 2_000);
    }

    private void liveFrom(long first, int seeds) throws IOException {
        for (long seed = first; seed < first + seeds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path root = Files.createDirectory(directory.resolve("seed" + seed));
            Map<String, String> there = new HashMap<>();
            for (int life = 0; life < 3; life++) {
                CutDisk disk = new CutDisk(root);
                List<Step> steps = live(root, disk, random, there);
                int moment = random.nextInt(disk.moments() + 1);
                Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
                Path left = Files.createDirectory(directory.resolve("seed" + seed + "life" + life));
                disk.cut(moment, loss, random, left);
                there = check(left, expect(there, steps, moment), "seed " + seed + " life " + life + " " + loss);
                root = left;
            }
        }
    }

    private static List<Step> live(Path root, CutDisk disk, SplittableRandom random, Map<String, String> before) {
        List<Step> steps = new ArrayList<>();
        try (LocalObjectStore store = LocalObjectStore.open(
                root.resolve("objects"), new InlineTasks(random.nextLong()), Durability.FLUSHED, disk)) {
            for (int i = random.nextInt(1, 15); i > 0; i--) {
                int from = disk.moments();
                String key = "k" + random.nextInt(3) + "/o" + random.nextInt(3);
                String body = "body " + random.nextLong() + "z".repeat(random.nextInt(1_500));
                switch (random.nextInt(4)) {
                    case 0 -> {
                        store.delete(key);
                        body = NONE;
                    }
                    case 1 -> {
                        ObjectUpload upload = store.upload(key, 5 << 20);
                        upload.part(1, Bytes.utf8(body));
                        upload.complete(1);
                    }
                    default -> store.put(key, Bytes.utf8(body), WriteCondition.ALWAYS);
                }
                steps.add(new Step(key, body, from, disk.moments()));
            }
        }
        return steps;
    }

    private static Map<String, Set<String>> expect(Map<String, String> before, List<Step> steps, int moment) {
        Map<String, Set<String>> expected = new HashMap<>();
        before.forEach((key, body) -> expected.put(key, new HashSet<>(Set.of(body))));
        for (Step step : steps) {
            if (step.to <= moment) {
                expected.put(step.key, new HashSet<>(Set.of(step.body)));
            } else if (step.from < moment) {
                expected.computeIfAbsent(step.key, absent -> new HashSet<>(Set.of(NONE)))
                        .add(step.body);
            }
        }
        return expected;
    }

    private static Map<String, String> check(Path root, Map<String, Set<String>> expected, String text) {
        Map<String, String> found = new HashMap<>();
        try (LocalObjectStore store =
                LocalObjectStore.open(root.resolve("objects"), new InlineTasks(1), Durability.OS_CACHE)) {
            for (Listing.Entry entry : store.list("", "", 100).entries()) {
                found.put(
                        entry.key(), store.get(entry.key()).orElseThrow().body().toUtf8());
            }
        }
        expected.forEach(
                (key, bodies) -> assertThat(bodies).as(text + " " + key).contains(found.getOrDefault(key, NONE)));
        assertThat(expected.keySet()).as(text).containsAll(found.keySet());
        return found;
    }

    private record Step(String key, String body, int from, int to) {}
}
