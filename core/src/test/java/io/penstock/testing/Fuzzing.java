package io.penstock.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A driver of a {@link FuzzTarget}: it gives the target bytes that are drawn from seeds, and watches what the target
 * does.
 */
public final class Fuzzing {
    /**
     * The processor time after which an input counts as endless. It is no wall-clock time, so that a busy machine
     * proves nothing; any input takes thousands of times less.
     */
    private static final Duration ENDLESS = Duration.ofSeconds(20);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final int SHOWN_BYTES_MAX = 300;

    /**
     * The number of attempts: the first ones load classes, and instrument them in a guided search, and these
     * allocations count for the decoder.
     */
    private static final int ATTEMPTS = 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Fuzzing() {}

    /** The number of inputs that were accepted, and of those refused. */
    public record Outcome(long taken, long refused) {}

    /** A decoder that did what it must not. */
    public static final class Finding extends AssertionError {
        private static final long serialVersionUID = 1;

        Finding(String what, Throwable cause) {
            super(what, cause);
        }
    }

    /**
     * One input.
     *
     * @return whether it was taken for valid
     * @throws Finding when the decoder did what it must not
     */
    public static boolean check(FuzzTarget target, byte[] bytes) {
        for (int attempt = 1; ; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            boolean taken = decodes(target, bytes);
            long used = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (used <= target.allocationMax(bytes.length)) {
                return taken;
            }
            if (attempt == ATTEMPTS) {
                throw new Finding(target + " allocated " + used + " bytes for " + bytes.length + shown(bytes), null);
            }
        }
    }

    private static boolean decodes(FuzzTarget target, byte[] bytes) {
        try {
            target.decoder().decode(bytes.clone());
            return true;
        } catch (Throwable thrown) {
            if (target.refusal().isInstance(thrown)) {
                return false;
            }
            throw new Finding(target + " threw " + thrown.getClass().getName() + shown(bytes), thrown);
        }
    }

    private static String shown(byte[] bytes) {
        int length = Math.min(bytes.length, SHOWN_BYTES_MAX);
        return ": " + HexFormat.of().formatHex(bytes, 0, length) + (length < bytes.length ? "..." : "");
    }

    /** The input that follows from a seed. */
    static byte[] input(FuzzTarget target, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new Mutations(random).of(target.valid());
        return random.nextInt(8) == 0 ? bytes : target.seal().apply(bytes);
    }

    /**
     * The valid bytes, then {@code count} inputs from the seeds behind {@code first}.
     *
     * @throws Finding when the decoder did what it must not; names the seed
     */
    public static Outcome run(FuzzTarget target, long first, long count) {
        for (byte[] valid : target.valid()) {
            if (!check(target, valid)) {
                throw new Finding(target + " refuses what is valid" + shown(valid), null);
            }
        }
        AtomicLong seed = new AtomicLong(first);
        AtomicLong taken = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread worker = Thread.ofPlatform().daemon().name("fuzz " + target).start(() -> {
            try {
                for (; seed.get() < first + count; seed.incrementAndGet()) {
                    taken.addAndGet(check(target, input(target, seed.get())) ? 1 : 0);
                }
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        await(target, worker, seed);
        if (failure.get() != null) {
            throw new Finding("seed=" + seed + " " + failure.get().getMessage(), failure.get());
        }
        return new Outcome(taken.get(), count - taken.get());
    }

    /** Waits for the worker to end, but not for one that does not. */
    private static void await(FuzzTarget target, Thread worker, AtomicLong seed) {
        long seen = -1;
        long cpuThen = 0;
        try {
            while (!worker.join(LOOK_EVERY)) {
                long now = seed.get();
                long cpu = THREADS.getThreadCpuTime(worker.threadId());
                if (now != seen) {
                    seen = now;
                    cpuThen = cpu;
                } else if (cpu - cpuThen > ENDLESS.toNanos()) {
                    Throwable where = new IllegalStateException("it is here");
                    where.setStackTrace(worker.getStackTrace());
                    throw new Finding("seed=" + now + " " + target + " does not end", where);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
