package io.penstock.bench.experiment.damage;

import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The list of all damages to a specimen. A pure function of its objects and messages. */
final class Damages {
    /** All bits of so many bytes in front are turned, one after the other: the longest header, a page's, is as long. */
    private static final int HEADER_BYTES = 112;

    private final Map<String, List<Bytes>> objects;
    private final int every;
    private final List<Damage> all = new ArrayList<>();

    private Damages(Map<String, List<Bytes>> objects, int every) {
        this.objects = objects;
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
        Target target = Target.object(key, now);
        all.add(new Damage.Remove(target));
        all.add(new Damage.Replace(target, "cut", now.slice(0, now.length() / 2)));
        all.add(new Damage.Replace(target, "emptied", Bytes.EMPTY));
        byte[] longer = Arrays.copyOf(now.toArray(), now.length() + 16);
        all.add(new Damage.Replace(target, "lengthened", Bytes.wrap(longer)));
        versions.stream()
                .distinct()
                .filter(old -> !old.equals(now))
                .forEach(old -> all.add(new Damage.Replace(target, Excuses.OLDER, old)));
        Flips.of(
                now.length(),
                HEADER_BYTES,
                every,
                all.size(),
                (index, bit) -> all.add(new Damage.Flip(target, index, bit)));
    }

    /** Each object with the next of its kind. */
    private void swaps() {
        Map<String, Target> last = new TreeMap<>();
        objects.forEach((key, versions) -> {
            Target target = Target.object(key, versions.getLast());
            Target other = last.put(target.kind(), target);
            if (other != null) {
                all.add(new Damage.Swap(other, target));
            }
        });
    }

    private void ofMessages(List<Bytes> messages) {
        for (int i = 0; i < messages.size(); i++) {
            Target target = Target.message(i);
            Flips.of(
                    messages.get(i).length(),
                    HEADER_BYTES,
                    every,
                    all.size(),
                    (index, bit) -> all.add(new Damage.FlipMessage(target, index, bit)));
        }
    }
}
