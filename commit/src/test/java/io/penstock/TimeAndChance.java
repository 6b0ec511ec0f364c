package io.penstock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import java.util.Set;
import java.util.regex.Pattern;

/** Clocks, threads and random sources, which a class gets from {@code Tasks}; the words of architecture rules. */
public final class TimeAndChance {
    public static final String REASON = "a simulation must be a pure function of its seed: use Tasks";

    private static final Set<String> TIME_AND_CHANCE = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.Collections.shuffle",
            "java.util.Collection.parallelStream",
            "java.util.stream.BaseStream.parallel",
            "java.util.random.RandomGenerator.getDefault",
            "java.util.random.RandomGenerator.of",
            "java.lang.Object.wait",
            "java.lang.Object.notify",
            "java.lang.Object.notifyAll");

    private static final Pattern CLOCK =
            Pattern.compile("java\\.time\\.(Clock|[A-Za-z]+Date|[A-Za-z]*DateTime|Instant)");

    private static final Pattern THREADS_AND_RANDOMS = Pattern.compile("java\\.lang\\.Thread(\\$.*)?"
            + "|java\\.util\\.(Random|SplittableRandom|Timer|TimerTask)|java\\.security\\.SecureRandom"
            + "|java\\.util\\.concurrent\\.(.*Executor.*|.*Future.*|ForkJoin.*|ThreadLocalRandom|CountDownLatch"
            + "|CyclicBarrier|Semaphore|Exchanger|Phaser|.*BlockingQueue|.*BlockingDeque)"
            + "|java\\.util\\.concurrent\\.locks\\.(LockSupport|Condition)");

    private TimeAndChance() {}

    /** Holds for a class that reads a clock, draws chance, or starts or awaits a thread. */
    public static ArchCondition<JavaClass> beUsed() {
        return accessTargetWhere(describe("it is a clock or a random source", TimeAndChance::isTimeOrChance))
                .or(dependOnClassesThat(describe(
                        "are threads, executors, futures or random sources",
                        type -> THREADS_AND_RANDOMS.matcher(type.getName()).matches())));
    }

    private static boolean isTimeOrChance(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getTarget().getName();
        return TIME_AND_CHANCE.contains(owner + "." + name)
                || name.equals("parallelStream")
                || name.equals("now") && CLOCK.matcher(owner).matches()
                || owner.equals("java.time.Clock") && name.startsWith("system");
    }
}
