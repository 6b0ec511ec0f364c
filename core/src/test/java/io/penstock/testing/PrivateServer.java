package io.penstock.testing;

import io.penstock.testing.CloudScript.Result;
import io.penstock.testing.RealServers.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real server of one test, which may pull its plug. {@link RealServers} is asked first whether the server can be had
 * at all, so a test is skipped or fails as with the shared ones. Not for several threads.
 */
public final class PrivateServer implements AutoCloseable {
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String name;
    private final Path folder;
    private final Endpoint endpoint;

    private PrivateServer(String name) {
        this.name = name;
        folder = Path.of("target", "servers-" + ProcessHandle.current().pid(), name + STARTED.incrementAndGet())
                .toAbsolutePath();
        endpoint = start(RealServers.options(name));
    }

    /** LocalStack, which keeps its data in memory: after {@link #kill} and {@link #restart} it is empty. */
    public static PrivateServer localstack() {
        RealServers.localstack();
        return new PrivateServer("localstack");
    }

    /**
     * versitygw, which keeps objects as files: they are there again after {@link #kill} and {@link #restart}. S3 only.
     */
    public static PrivateServer versitygw() {
        RealServers.versitygw();
        return new PrivateServer("versitygw");
    }

    /** The address of the server; the same after a restart. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Ends the process at once ({@code kill -9}); connections are refused until {@link #restart}. */
    public void kill() {
        ProcessHandle process = process();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Stops the process without ending it: connections are accepted by the system, and nothing answers. */
    public void pause() {
        signal("STOP");
    }

    /** Lets a paused process go on. */
    public void resume() {
        signal("CONT");
    }

    /** Starts the killed server again, on the same port. */
    public void restart() {
        String option = name.equals("localstack") ? "--port" : "--port-s3";
        String[] options = RealServers.options(name);
        options[options.length - 2] = option;
        options[options.length - 1] = Integer.toString(endpoint.s3().getPort());
        start(options);
    }

    @Override
    public void close() {
        CloudScript.down(folder);
    }

    private Endpoint start(String[] options) {
        Result up = CloudScript.up(folder, options);
        if (up.code() != 0) {
            throw new AssertionError(up.reason());
        }
        return Endpoint.of(up);
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process().pid()))
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessHandle process() {
        try {
            long pid = Long.parseLong(
                    Files.readString(folder.resolve(name).resolve("pid")).strip());
            return ProcessHandle.of(pid).orElseThrow(() -> new AssertionError(name + " has ended; pid=" + pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
