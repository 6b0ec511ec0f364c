package io.penstock.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class MemoryLockTest {
    /**
     * The first in line is a virtual thread, the second one keeps the only carrier. With a lock of the JDK the second
     * waited for the first for ever.
     */
    @Test
    void nobodyWaitsBehindAThreadThatCannotRun() throws IOException, InterruptedException {
        assertThat(printed("memory")).isEqualToIgnoringNewLines("locked");
        assertThat(printed("jdk")).as("the program shows the fault").isEmpty();
    }

    private static String printed(String lock) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Line.class.getName(),
                        lock)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }

    @Test
    void anInterruptIsKept() throws InterruptedException {
        MemoryLock lock = new MemoryLock();
        boolean[] kept = new boolean[1];
        lock.lock();
        Thread waiting = Thread.ofPlatform().start(() -> {
            lock.lock();
            lock.unlock();
            kept[0] = Thread.interrupted();
        });
        waiting.interrupt();
        lock.unlock();
        waiting.join();
        assertThat(kept[0]).isTrue();
    }

    /** A program with one carrier. Prints {@code locked} when the thread that keeps it has had the lock. */
    static final class Line {
        private static ReentrantLock lock = new ReentrantLock();
        private static final CountDownLatch LOCKED = new CountDownLatch(1);

        private Line() {}

        public static void main(String[] arguments) throws InterruptedException {
            if (arguments[0].equals("memory")) {
                lock = new MemoryLock();
            }
            lock.lock();
            Thread first = Thread.ofVirtual().start(Line::lockAndUnlock);
            awaitLine(first);
            Thread second = Thread.ofVirtual().start(() -> new Keeping());
            awaitLine(second);
            lock.unlock();
            if (LOCKED.await(arguments[0].equals("memory") ? 60_000 : 500, TimeUnit.MILLISECONDS)) {
                System.out.println("locked");
            }
            Runtime.getRuntime().halt(0);
        }

        private static void awaitLine(Thread thread) throws InterruptedException {
            while (!lock.hasQueuedThread(thread)) {
                Thread.sleep(1);
            }
        }

        private static void lockAndUnlock() {
            lock.lock();
            lock.unlock();
        }

        /** A virtual thread that runs an initializer keeps its carrier on every Java. */
        private static final class Keeping {
            static {
                lockAndUnlock();
                LOCKED.countDown();
            }
        }
    }
}
