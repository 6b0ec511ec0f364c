package io.penstock.commit.simulation;

import io.penstock.core.Bytes;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The loss of a client's object, or a change to it, while clients are at work: of one that lives, is dead or was put
 * apart. Nobody repairs it, and every promise is kept: heartbeats are no more than a hint, and what a client left is
 * found in the queues. Whether a run has it is drawn apart from all else.
 */
final class ClientDamage implements CallWatcher {
    /** The name of the cut that leaves it out. */
    static final String CUT = "no-client-damage";

    private static final String LIVING = "penstock/clients/";
    private static final String SETTLED = "penstock/retired/";
    private static final int SEEDS = 10;

    /** Runs put from a few to some hundred heartbeats; the logarithm is drawn evenly. */
    private static final double PUTS_MAX = 40;

    private final SimulatedCloud cloud;
    private final CallLog story;
    private final SplittableRandom random;
    private final TreeSet<String> keys = new TreeSet<>();
    private int putsLeft;
    private String struck = "";

    /** How an object is damaged. */
    private enum Kind {
        LOST,
        BIT,
        CUT,
        FOREIGN
    }

    ClientDamage(SimulatedCloud cloud, Scenario scenario, CallLog story) {
        this.cloud = cloud;
        this.story = story;
        this.random = stream(scenario);
        boolean isThere = random.nextInt(SEEDS) == 0 && !scenario.cuts().contains(CUT);
        int puts = (int) StrictMath.exp(random.nextDouble() * StrictMath.log(PUTS_MAX));
        this.putsLeft = isThere ? puts : Integer.MAX_VALUE;
    }

    private static SplittableRandom stream(Scenario scenario) {
        return new SplittableRandom(scenario.seed() * 141_650_939 + 11);
    }

    static boolean isIn(Scenario scenario) {
        return stream(scenario).nextInt(SEEDS) == 0 && !scenario.cuts().contains(CUT);
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        boolean isPut = step == Step.DONE && call.equals("put") && (on.startsWith(LIVING) || on.startsWith(SETTLED));
        if (!isPut || putsLeft == Integer.MAX_VALUE) {
            return;
        }
        keys.add(on);
        if (--putsLeft <= 0) {
            putsLeft = Integer.MAX_VALUE;
            List<String> all = new ArrayList<>(keys);
            String key = random.nextBoolean() ? on : all.get(random.nextInt(all.size()));
            Kind kind = random.nextBoolean() ? Kind.LOST : Kind.values()[random.nextInt(Kind.values().length)];
            struck = key;
            cloud.newest(key).ifPresent(object -> strike(client, key, kind, object.body()));
        }
    }

    private void strike(SimulatedClient client, String key, Kind kind, Bytes sound) {
        story.say(client, "*** DAMAGE of " + key + ": " + kind);
        byte[] bytes = sound.toArray();
        switch (kind) {
            case LOST -> cloud.lose(key);
            case BIT -> {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                var unused = cloud.replace(key, Bytes.wrap(bytes));
            }
            case CUT -> {
                var unused = cloud.replace(key, sound.slice(0, random.nextInt(bytes.length)));
            }
            case FOREIGN -> {
                random.nextBytes(bytes);
                var unused = cloud.replace(key, Bytes.wrap(bytes));
            }
        }
    }

    /** Whether an object is what it is, or is not there, because it was damaged. */
    boolean hasStruck(String key) {
        return struck.equals(key);
    }

    /** Nothing is damaged from now on. */
    void end() {
        putsLeft = Integer.MAX_VALUE;
    }
}
