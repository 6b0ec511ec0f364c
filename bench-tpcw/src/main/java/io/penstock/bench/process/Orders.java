package io.penstock.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What a client process is told to do, line by line on its standard input. When the input ends, the process that gave
 * the orders is gone, and this one ends at once, whatever it is doing: none is ever left behind. Safe for use by many
 * threads.
 */
public final class Orders {
    /** The exit code of a process whose parent is gone. */
    private static final int ORPHAN = 3;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Begins to read; for one use in a process. */
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
            // As good as the end.
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

    /** Whether an order waits to be taken. */
    public boolean any() {
        return !lines.isEmpty();
    }
}
