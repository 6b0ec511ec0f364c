package io.penstock.bench.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Orders to a client process, one for each line of its standard input. The end of the input means that the parent is
 * gone: then this process ends at once, so that none is left running. Safe for use by many threads.
 */
public final class Orders {
    /** The exit code of a process whose parent is gone. */
    private static final int ORPHAN = 3;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Begins to read. Call once in a process. */
    public static Orders from(InputStream in) {
        Orders orders = new Orders();
        Thread.ofPlatform().daemon().name("orders").start(() -> orders.read(in));
        return orders;
    }

    private void read(InputStream in) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException broken) {
            // The same as the end of the input.
        }
        Runtime.getRuntime().halt(ORPHAN);
    }

    /** The next order; waits for it. */
    public String next() {
        try {
            return lines.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an order", e);
        }
    }

    /** Returns whether an order is waiting. */
    public boolean any() {
        return !lines.isEmpty();
    }
}
