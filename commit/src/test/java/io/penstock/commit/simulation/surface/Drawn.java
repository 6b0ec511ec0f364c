package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run is about: drawn from its seed, and perhaps cut down since.
 *
 * @param handles machines with a store handle each
 * @param users of each handle
 * @param rounds programs of each user
 */
record Drawn(
        long seed,
        ConsistencyLevel level,
        EnumSet<Feature> features,
        int handles,
        int users,
        int rounds,
        int keys,
        int pageBytes,
        Duration ttl,
        Duration checkpointInterval,
        Duration staleness,
        int thinkMillis) {
    /** Features that every run has, so that it has something to do. */
    private static final Set<Feature> ALWAYS = Set.of(Feature.TRANSACT);

    private static final int[] PAGES = {512, 512, 1024, 2048};

    static Drawn of(long seed, @Nullable ConsistencyLevel level, Set<Feature> without, Set<Feature> with) {
        SplittableRandom random = new SplittableRandom(seed * 7_919 + 23);
        SplittableRandom apart = new SplittableRandom(seed * 104_729 + 11);
        EnumSet<Feature> features = EnumSet.noneOf(Feature.class);
        for (Feature feature : Feature.values()) {
            boolean isThere = (feature.isDrawnApart() ? apart : random).nextInt(100) < likely(feature);
            if (isThere || ALWAYS.contains(feature)) {
                features.add(feature);
            }
        }
        features.addAll(with);
        features.removeAll(without);
        // Drawn where it is given too, so that the rest is the same.
        ConsistencyLevel own = random.nextInt(3) == 0 ? ConsistencyLevel.SNAPSHOT : ConsistencyLevel.SERIALIZABLE;
        return new Drawn(
                seed,
                level != null ? level : own,
                settled(features),
                (features.contains(Feature.UNDECLARED) ? 2 : 1) + random.nextInt(3),
                1 + random.nextInt(3),
                4 + random.nextInt(8),
                random.nextInt(4) == 0 ? 60 : 8 + random.nextInt(24),
                PAGES[random.nextInt(PAGES.length)],
                millis(random, 50, 3_000),
                millis(random, 100, 5_000),
                features.contains(Feature.STALENESS) ? millis(random, 100, 20_000) : Duration.ZERO,
                20 + random.nextInt(2_000));
    }

    /** Without what has no meaning without something else. */
    private static EnumSet<Feature> settled(EnumSet<Feature> features) {
        if (features.contains(Feature.INDEX_MADE)) {
            features.remove(Feature.INDEX_ADDED);
        }
        if (!features.contains(Feature.INDEX_ADDED)) {
            features.remove(Feature.UNDECLARED);
            features.remove(Feature.DROP_INDEX);
        }
        if (features.contains(Feature.BUCKET_ONLY) || features.contains(Feature.BACKUPS)) {
            features.removeAll(Set.of(Feature.WEAK, Feature.FILL, Feature.MOVE)); // of collections outside of domains
        }
        if (features.contains(Feature.BACKUPS)) {
            features.remove(Feature.RENAME); // the restored store knows the last name alone
        }
        if (!features.contains(Feature.SEALED) || features.contains(Feature.COVERING)) {
            features.remove(Feature.LACKS_KEY); // nobody can remove an entry, with its row, of a record without its key
        }
        if (features.contains(Feature.LACKS_KEY)) {
            features.remove(Feature.REVIEW);
        }
        if (!features.contains(Feature.ENCRYPTED)) {
            features.remove(Feature.NEW_MASTER);
        }
        if (!features.contains(Feature.QUERIES)) {
            features.remove(Feature.SUMMARIES);
        }
        if (!features.contains(Feature.OUTSIDE)) {
            features.remove(Feature.SCANS_OUTSIDE);
        }
        if (!features.contains(Feature.INDEX_ADDED) && !features.contains(Feature.INDEX_MADE)) {
            features.removeAll(Set.of(Feature.BY_INDEX, Feature.COVERING, Feature.SCRUB));
        }
        return features;
    }

    private static int likely(Feature feature) {
        return switch (feature) {
            case BY_INDEX, DELETES, CHECKPOINTS, BEGIN, OUTSIDE, READ -> 70;
            case INDEX_MADE -> 33;
            case UNIQUE, LARGE, EXPIRY, STALENESS, SEALED, REVIEW, VERSIONS, STATES, LOG_APART -> 20;
            case LOST, SLOW, THROTTLE, KILLS, FREEZES, SKEW, INTERRUPTS, REOPEN, LONG -> 20;
            case WEAK, FILL -> 15;
            case MOVE -> 6; // these are long
            case COMPACTION, ENCRYPTED, BUCKET_ONLY, BACKUPS, REPAGE, RENAME, DROP_INDEX, RECOVER -> 25;
            default -> 50;
        };
    }

    private static Duration millis(SplittableRandom random, int min, int max) {
        double log = StrictMath.log(min) + random.nextDouble() * (StrictMath.log(max) - StrictMath.log(min));
        return Duration.ofMillis((long) StrictMath.exp(log));
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    World world() {
        return new World(
                has(Feature.THROTTLE) ? 0.02 : 0,
                has(Feature.LOST) ? 0.02 : 0,
                has(Feature.SLOW) ? 0.03 : 0,
                Duration.ZERO,
                has(Feature.REORDER) ? 0.1 : 0,
                has(Feature.REORDER) ? 0.2 : 0,
                has(Feature.REORDER) ? Duration.ofMillis(700) : Duration.ZERO);
    }

    /** Whether payloads may have objects of their own, which the log no longer tells once they were replaced. */
    boolean mayBeLarge() {
        return has(Feature.LARGE) || has(Feature.SEALED) || has(Feature.REVIEW);
    }

    /** @param who opens a store: one client seals by one key, another by the other */
    Settings apply(Settings settings, int who) {
        return sealing(plain(settings), who);
    }

    /** Settings of a program that sets no level. */
    Settings unset(Settings settings, int who) {
        return sealing(common(settings), who);
    }

    private Settings sealing(Settings settings, int who) {
        if (!has(Feature.ENCRYPTED)) {
            return settings;
        }
        return settings.encryption(has(Feature.NEW_MASTER) ? Masters.BOTH.get(who & 1) : Masters.MAIN);
    }

    /** Settings without keys. */
    Settings plain(Settings settings) {
        boolean unset = has(Feature.NO_LEVEL) && level == ConsistencyLevel.SERIALIZABLE;
        return unset ? common(settings) : common(settings).level(level);
    }

    private Settings common(Settings settings) {
        Duration deadAfter = Duration.ofSeconds(20);
        return settings.advanced(advanced -> advanced.sweeping(false))
                .pageBytes(pageBytes)
                .poolBytes(1 << 20)
                .ttl(ttl)
                .staleness(staleness)
                .checkpointInterval(checkpointInterval)
                .checkpointing(has(Feature.CHECKPOINTS))
                .advanced(advanced -> advanced.heartbeatInterval(deadAfter.dividedBy(4)))
                .deadAfter(deadAfter)
                .callBudget(Duration.ofSeconds(10))
                .closeWithin(Duration.ofSeconds(10));
    }

    Drawn with(Set<Feature> left) {
        return with(left, handles, users, rounds);
    }

    Drawn with(Set<Feature> left, int fewerHandles, int fewerUsers, int fewerRounds) {
        EnumSet<Feature> copy = EnumSet.noneOf(Feature.class);
        copy.addAll(left);
        return new Drawn(
                seed,
                level,
                settled(copy),
                fewerHandles,
                fewerUsers,
                fewerRounds,
                keys,
                pageBytes,
                ttl,
                checkpointInterval,
                copy.contains(Feature.STALENESS) ? staleness : Duration.ZERO,
                thinkMillis);
    }

    @Override
    public String toString() {
        return "seed=" + seed + " level=" + level + " handles=" + handles + " users=" + users + " rounds=" + rounds
                + " keys=" + keys + " page-bytes=" + pageBytes + " ttl=" + ttl.toMillis() + "ms interval="
                + checkpointInterval.toMillis() + "ms staleness=" + staleness.toMillis() + "ms with "
                + features.stream()
                        .map(Feature::name)
                        .map(n -> n.toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","));
    }
}
