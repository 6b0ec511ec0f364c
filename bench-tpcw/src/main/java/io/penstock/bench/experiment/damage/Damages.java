package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The list of all damages to a specimen. A pure function of its objects and messages. */
final class Damages {
    /** All bits of so many bytes in front are turned, one after the other: the longest header, a page's, is as long. */
    private static final int HEADER_BYTES = 112;

    /** A client that reads objects whole, as long as they say they are, runs out of memory by some of these. */
    private static final Bytes TOO_LONG = Bytes.wrap(new byte[ObjectRules.WHOLE_BYTES_MAX + 1]);

    private final Map<String, List<Bytes>> objects;
    private final Kinds kinds;
    private final int every;
    private final List<Damage> all = new ArrayList<>();

    private Damages(Map<String, List<Bytes>> objects, int every) {
        this.objects = objects;
        Map<String, Bytes> newest = new TreeMap<>();
        objects.forEach((key, versions) -> newest.put(key, versions.getLast()));
        this.kinds = new Kinds(newest);
        this.every = every;
    }

    /** @param every one flip of so many is taken; everything else always */
    static List<Damage> of(Specimen specimen, int every) {
        Damages damages = new Damages(specimen.versions(), every);
        damages.objects.forEach(damages::ofObject);
        damages.swaps();
        damages.ofMessages(specimen.messages());
        return damages.all;
    }

    private void ofObject(String key, List<Bytes> versions) {
        Bytes now = versions.getLast();
        Target target = kinds.target(key, now);
        all.add(new Damage.Remove(target));
        all.add(new Damage.Replace(target, Damage.CUT, now.slice(0, now.length() / 2)));
        all.add(new Damage.Replace(target, Damage.EMPTIED, Bytes.EMPTY));
        all.add(new Damage.Replace(target, Damage.LENGTHENED, Damage.longer(now)));
        all.add(new Damage.Replace(target, Damage.TOO_LONG, TOO_LONG));
        versions.stream()
                .distinct()
                .filter(old -> !old.equals(now))
                .forEach(old -> all.add(new Damage.Replace(target, Damage.OLDER, old)));
        Flips.of(
                now.length(),
                HEADER_BYTES,
                every,
                all.size(),
                (index, bit) -> all.add(new Damage.Flip(target, index, bit)));
    }

    /** Each object with each other of its kind. */
    private void swaps() {
        Map<String, List<Target>> before = new TreeMap<>();
        objects.forEach((key, versions) -> {
            Target target = kinds.target(key, versions.getLast());
            List<Target> others = before.computeIfAbsent(target.kind(), kind -> new ArrayList<>());
            others.forEach(other -> all.add(new Damage.Swap(other, target)));
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
            ofMessage(target, Damage.LENGTHENED, Map.of(i, Optional.of(Damage.longer(body))));
            for (int j = 0; j < i; j++) {
                ofMessage(target, Damage.SWAPPED, Map.of(i, Optional.of(messages.get(j)), j, Optional.of(body)));
            }
            Flips.of(
                    body.length(),
                    HEADER_BYTES,
                    every,
                    all.size(),
                    (index, bit) -> ofMessage(
                            target, Damage.TURNED, Map.of(number, Optional.of(Damage.turned(body, index, bit)))));
        }
    }

    private void ofMessage(Target target, String what, Map<Integer, Optional<Bytes>> bodies) {
        all.add(new Damage.ChangeMessages(target, what, bodies));
    }
}
