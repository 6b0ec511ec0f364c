package io.penstock.bench.kills;

import io.penstock.bench.program.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The parent's handle on a process that writes: {@link KillWriter} or {@link ListWriter}. For one thread. */
final class WriterProcess {
    /** The exit code of a process of which a thread has failed. */
    private static final int FAILED = 8;

    private final Process process;
    private final Path journal;
    private final Path errors;
    private final long writer;

    /**
     * Starts it.
     *
     * @param program its main class
     * @param job the first line of its input
     * @param journal a file that is there and not empty once it writes
     */
    WriterProcess(Class<?> program, long writer, String job, Path journal, Path errors) {
        this.journal = journal;
        this.errors = errors;
        this.writer = writer;
        // Compiling well takes longer than most writers live.
        process = new ChildJvm()
                .flag("-XX:TieredStopAtLevel=1")
                .start(program, List.of(), ProcessBuilder.Redirect.to(errors.toFile()));
        order(job);
    }

    /** Ends this process, in which a thread has failed: the parent sees it at once, and no later kill hides it. */
    static Void end(Throwable failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(FAILED);
        throw new AssertionError("halted", failure);
    }

    long writer() {
        return writer;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns whether the writer has begun its first transaction. */
    boolean isWriting() {
        try {
            return Files.exists(journal) && Files.size(journal) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills the writer by {@code kill -9}. Its pipes stay open until it is gone. */
    void kill() {
        process.toHandle().destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks the writer to finish its transaction and close its store. */
    void tellToStop() {
        order("stop");
    }

    /** Returns whether the writer has ended by itself, with success, within {@code limit}. */
    boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The last lines of its error output. */
    String complaints() {
        try {
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
            return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("the error output of a writer cannot be read", e);
        }
    }

    private void order(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException gone) {
            // The next check whether it is alive finds out.
        }
    }
}
