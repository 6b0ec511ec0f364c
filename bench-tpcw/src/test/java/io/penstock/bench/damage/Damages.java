package io.penstock.bench.damage;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.WriteCondition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The list of all damages to a specimen. A pure function of its objects and messages. */
final class Damages {
    /** All bits of so many bytes in front are turned, one after the other: the longest header, a page's, is as long. */
    private static final int HEADER_BYTES = 112;

    /** A client that reads objects whole, as long as they say they are, runs out of memory by some of these. */
    private static final Bytes TOO_LONG = Bytes.wrap(new byte[ObjectRules.WHOLE_BYTES_MAX + 1]);

    private final Map<String, List<Bytes>> objects;
    private final Kinds kinds;
    private final int every;
    private final List<Damage<Specimen>> all = new ArrayList<>();

    private Damages(Map<String, List<Bytes>> objects, int every) {
        this.objects = objects;
        Map<String, Bytes> newest = new TreeMap<>();
        objects.forEach((key, versions) -> newest.put(key, versions.getLast()));
        this.kinds = new Kinds(newest);
        this.every = every;
    }

    /** @param every one flip of so many is taken; everything else always */
    static List<Damage<Specimen>> of(Specimen specimen, int every) {
        Damages damages = new Damages(specimen.versions(), every);
        damages.objects.forEach(damages::ofObject);
        damages.swaps();
        damages.ofMessages(specimen.messages());
        return damages.all;
    }

    private void ofObject(String key, List<Bytes> versions) {
        Bytes now = versions.getLast();
        Target target = kinds.target(key, now);
        all.add(Damage.of(target, Damage.REMOVED, specimen -> specimen.objects().delete(key)));
        replace(target, Damage.CUT, now.slice(0, now.length() / 2));
        replace(target, Damage.EMPTIED, Bytes.EMPTY);
        replace(target, Damage.LENGTHENED, longer(now));
        replace(target, Damage.TOO_LONG, TOO_LONG);
        versions.stream().distinct().filter(old -> !old.equals(now)).forEach(old -> replace(target, Damage.OLDER, old));
        Flips.of(
                now.length(),
                HEADER_BYTES,
                every,
                all.size(),
                (index, bit) -> all.add(Damage.of(
                        target,
                        Damage.TURNED,
                        specimen -> put(specimen, target, turned(body(specimen, target), index, bit)))));
    }

    private void replace(Target target, String what, Bytes content) {
        all.add(Damage.of(target, what, specimen -> put(specimen, target, content)));
    }

    private static void put(Specimen specimen, Target target, Bytes content) {
        specimen.objects().put(target.key(), content, WriteCondition.ALWAYS);
    }

    private static Bytes body(Specimen specimen, Target target) {
        return specimen.objects().get(target.key()).orElseThrow().body();
    }

    private static Bytes longer(Bytes whole) {
        return Bytes.wrap(Arrays.copyOf(whole.toArray(), whole.length() + Damage.LONGER_BYTES));
    }

    private static Bytes turned(Bytes whole, int index, int bit) {
        byte[] bytes = whole.toArray();
        bytes[index] ^= (byte) (1 << bit);
        return Bytes.wrap(bytes);
    }

    /** Each object with each other of its kind. */
    private void swaps() {
        Map<String, List<Target>> before = new TreeMap<>();
        objects.forEach((key, versions) -> {
            Target target = kinds.target(key, versions.getLast());
            List<Target> others = before.computeIfAbsent(target.kind(), kind -> new ArrayList<>());
            others.forEach(other -> all.add(new Damage<>(other, target, Damage.SWAPPED, specimen -> {
                Bytes body = body(specimen, target);
                put(specimen, target, body(specimen, other));
                put(specimen, other, body);
            })));
            others.add(target);
        });
    }

    private void ofMessages(List<Bytes> messages) {
        for (int i = 0; i < messages.size(); i++) {
            int number = i;
            Target target = Target.message(i);
            Bytes body = messages.get(i);
            ofMessage(target, Damage.REMOVED, Map.of(i, Optional.empty()));
            ofMessage(target, Damage.CUT, Map.of(i, Optional.of(body.slice(0, body.length() / 2))));
            ofMessage(target, Damage.EMPTIED, Map.of(i, Optional.of(Bytes.EMPTY)));
            ofMessage(target, Damage.LENGTHENED, Map.of(i, Optional.of(longer(body))));
            for (int j = 0; j < i; j++) {
                ofMessage(target, Damage.SWAPPED, Map.of(i, Optional.of(messages.get(j)), j, Optional.of(body)));
            }
            Flips.of(
                    body.length(),
                    HEADER_BYTES,
                    every,
                    all.size(),
                    (index, bit) ->
                            ofMessage(target, Damage.TURNED, Map.of(number, Optional.of(turned(body, index, bit)))));
        }
    }

    /** Messages get other bodies, by their numbers; without a body a message is taken away. */
    private void ofMessage(Target target, String what, Map<Integer, Optional<Bytes>> bodies) {
        all.add(Damage.of(target, what, specimen -> {
            AtomicInteger seen = new AtomicInteger();
            specimen.tamper((queue, body, receives) -> bodies.getOrDefault(seen.getAndIncrement(), Optional.of(body)));
        }));
    }
}
