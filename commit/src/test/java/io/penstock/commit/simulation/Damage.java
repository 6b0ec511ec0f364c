package io.penstock.commit.simulation;

import io.penstock.Penstock;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import io.penstock.report.QuarantineReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Damage to one page, while clients are at work: of a tree or of a queue's ledger; or the loss of a root. Until it is
 * repaired nothing but reads of this page may fail, and no queue may fill up; after that nothing is lost. The same for
 * a large payload. Or damage to the definition of a collection, or its loss, or damage to a segment of a commit log:
 * then the collection, or the domain, waits for the repair. Whether a run has it is drawn apart from all else.
 */
final class Damage implements CallWatcher {
    /** The name of the cut that leaves it out. */
    static final String CUT = "no-damage";

    static final String CONTAINED = "a damaged page holds back its own records alone";

    static final String REPAIRED = "what was parked is applied after the repair";

    private static final String PAGES = "penstock/pages/";
    private static final String CATALOG = "penstock/catalog/";
    private static final String LOG = "penstock/log/";
    private static final String PAYLOADS = "penstock/overflow/";
    private static final String ENTRY = ".json";
    private static final String MARK = ".mark";
    private static final int SEEDS = 12;

    /** Runs put some dozens of pages; the logarithm is drawn evenly. */
    private static final double PUTS_MAX = 60;

    private final SimulatedCloud cloud;
    private final CallLog story;
    private final SplittableRandom random;
    private final TreeSet<String> keys = new TreeSet<>();
    private final TreeSet<String> others = new TreeSet<>();
    private final Aim aim;

    /** How many calls of each machine have seen no definition, and have not written theirs yet. */
    private final Map<String, Integer> defining = new HashMap<>();

    private int putsLeft;
    private @Nullable Struck struck;

    /** What is damaged in a run. */
    private enum Aim {
        PAGE(PAGES),
        DEFINITION(CATALOG),
        SEGMENT(LOG),
        PAYLOAD(PAYLOADS),
        NOTHING("nothing");

        private final String prefix;

        Aim(String prefix) {
            this.prefix = prefix;
        }
    }

    /** An object that was damaged: as it was, and as it is; empty: it is lost. */
    private record Struck(String key, StoredObject sound, Optional<StoredObject> damaged) {}

    Damage(SimulatedCloud cloud, Scenario scenario, CallLog story) {
        this.cloud = cloud;
        this.story = story;
        this.random = stream(scenario);
        this.aim = aim(random, scenario);
        this.putsLeft = (int) StrictMath.exp(random.nextDouble() * StrictMath.log(PUTS_MAX));
    }

    private static SplittableRandom stream(Scenario scenario) {
        return new SplittableRandom(scenario.seed() * 122_949_823 + 9);
    }

    private static Aim aim(SplittableRandom stream, Scenario scenario) {
        int drawn = stream.nextInt(SEEDS);
        if (!isPossible(scenario)) {
            return Aim.NOTHING;
        }
        return switch (drawn) {
            case 0 -> Aim.PAGE;
            case 1 -> Aim.DEFINITION;
            case 2 -> scenario.level().isolates() ? Aim.SEGMENT : Aim.NOTHING;
            case 3 -> User.paddingMax(scenario) > 0 ? Aim.PAYLOAD : Aim.NOTHING;
            default -> Aim.NOTHING;
        };
    }

    static boolean isIn(Scenario scenario) {
        return aim(stream(scenario), scenario) != Aim.NOTHING;
    }

    /** Where nothing else is lost, and nobody looks at all pages while one is damaged. */
    private static boolean isPossible(Scenario scenario) {
        LongRunFaults perils = scenario.perils();
        return !perils.leisurely()
                && !perils.fleet()
                && perils.losses() == 0
                && scenario.faults().idle().isZero()
                && !new GarbageCollectorActor(scenario).isThere
                && !ClonedClients.areIn(scenario)
                && !scenario.cuts().contains(CUT);
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        boolean isEntry = on.startsWith(CATALOG) && on.endsWith(ENTRY);
        if (isEntry && step == Step.DONE) {
            note(client.name(), call, outcome);
        }
        boolean isPut = step == Step.DONE && call.equals("put");
        if (aim == Aim.NOTHING || !isPut || struck != null) {
            return;
        }
        if (on.startsWith(PAGES)) {
            keys.add(on);
            strike(client, on);
        } else if (on.startsWith(aim.prefix) && (aim != Aim.DEFINITION || isEntry)) {
            others.add(on);
        }
    }

    private void strike(SimulatedClient client, String on) {
        if (--putsLeft > 0) {
            return;
        }
        if (aim == Aim.PAGE) {
            strikePage(client, on);
        } else if (!others.isEmpty()) {
            List<String> all = List.copyOf(others);
            String drawn = all.get(random.nextInt(all.size()));
            if (random.nextBoolean() && isMissed(drawn)) {
                lose(client, drawn);
            } else {
                flip(client, drawn);
            }
        }
    }

    /** Whether something tells everybody that an object was there: its mark, or a record that refers to it. */
    private boolean isMissed(String key) {
        return switch (aim) {
            case DEFINITION -> isMarked(key) && defining.isEmpty();
            case SEGMENT -> false; // a client that has not read it takes the gap for the end of the log: CONSISTENCY.md
            default -> cloud.newest(key).isPresent();
        };
    }

    /** Whoever stood still between the two would write a new definition in the place of a lost one (decision 0016). */
    private void note(String machine, String call, @Nullable Object outcome) {
        if (call.equals("get") && Optional.empty().equals(outcome)) {
            defining.merge(machine, 1, Integer::sum);
        } else if (call.equals("put")) {
            defining.computeIfPresent(machine, (name, count) -> count > 1 ? count - 1 : null);
        }
    }

    /** Else it is as if it had never been: who wrote it crashed, or was cut off, before it said so. */
    private boolean isMarked(String entry) {
        return cloud.newest(entry.replace(ENTRY, MARK)).isPresent();
    }

    private void strikePage(SimulatedClient client, String on) {
        List<String> all = new ArrayList<>(keys);
        String drawn = random.nextBoolean() ? on : all.get(random.nextInt(all.size()));
        List<String> grown = all.stream().filter(this::isSplitRoot).toList();
        if (random.nextBoolean() && !grown.isEmpty()) {
            lose(client, grown.get(random.nextInt(grown.size())));
        } else if (random.nextBoolean() && isReferredTo(drawn)) {
            lose(client, drawn);
        } else {
            flip(client, drawn);
        }
    }

    /**
     * Whether this is the root of a tree in which something tells that there was one: a page that was not split from
     * the root's version 0, as those of a first write are that never ended.
     */
    private boolean isSplitRoot(String key) {
        return PageWatch.pageAt(key).isRoot()
                && header(key).filter(root -> root.level() > 0).isPresent()
                && keys.stream()
                        .filter(other -> PageWatch.pageAt(other)
                                .tree()
                                .equals(PageWatch.pageAt(key).tree()))
                        .flatMap(other -> header(other).stream())
                        .map(PageHeader::origin)
                        .anyMatch(origin -> origin.version() > 0);
    }

    /** Whether pages below the root lead there: a leaf, or an inner page. */
    private boolean isReferredTo(String key) {
        return !PageWatch.pageAt(key).isRoot()
                && header(key)
                        .filter(page -> page.kind() == PageKind.LEAF || page.kind() == PageKind.INNER)
                        .isPresent();
    }

    private Optional<PageHeader> header(String key) {
        return cloud.newest(key)
                .map(page -> StoredPage.decode(page.body(), PageWatch.pageAt(key), key)
                        .header());
    }

    private void lose(SimulatedClient client, String key) {
        struck = new Struck(key, cloud.newest(key).orElseThrow(), Optional.empty());
        cloud.lose(key);
        story.say(client, "*** LOSS of " + key);
    }

    private void flip(SimulatedClient client, String key) {
        cloud.newest(key).ifPresent(sound -> {
            byte[] bytes = sound.body().toArray();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            struck = new Struck(key, sound, Optional.of(cloud.replace(key, Bytes.wrap(bytes))));
            story.say(client, "*** DAMAGE of " + key);
        });
    }

    /** Nothing is damaged from now on: nobody would repair it. */
    void end() {
        putsLeft = Integer.MAX_VALUE;
    }

    boolean hasStruck() {
        return struck != null;
    }

    /** Whether what a call reports is the damage that is there. */
    boolean explains(String detail) {
        return struck != null
                && (detail.contains(struck.key) || aim == Aim.DEFINITION && detail.contains("unreadable=" + name()));
    }

    /** Of the collection whose definition was damaged. */
    private String name() {
        return struck == null ? "" : struck.key.substring(CATALOG.length(), struck.key.length() - ENTRY.length());
    }

    /** All that is pending is applied or parked while the page is damaged. After the repair all is applied. */
    void outlive(Penstock store, Runnable settle, BiConsumer<String, String> alarm) {
        if (aim == Aim.DEFINITION || aim == Aim.SEGMENT) {
            repair();
        }
        try {
            settle.run();
        } catch (CorruptDataException e) {
            alarm.accept(CONTAINED, SimulatedRun.stackOf(e));
        }
        repair();
        QuarantineReport report = store.admin().quarantine().applyAll(true);
        report.kept().forEach((item, why) -> alarm.accept(REPAIRED, item + ": " + why));
    }

    /** As from a backup; a ledger that was begun anew, and whatever was written over the damage, stays. */
    private void repair() {
        Struck page = struck;
        if (page != null && cloud.newest(page.key).equals(page.damaged) && !isLedger(page)) {
            cloud.restore(page.key, page.sound);
        }
    }

    private boolean isLedger(Struck page) {
        return aim == Aim.PAGE
                && StoredPage.decode(page.sound.body(), PageWatch.pageAt(page.key), page.key)
                                .header()
                                .kind()
                        == PageKind.LEDGER;
    }
}
