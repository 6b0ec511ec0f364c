package io.penstock.bench.slatedb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.testing.RealServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Durable commits of SlateDB, by its Python package in a process of its own.
 *
 * @param program {@code slatedb_commits.py}
 * @param flush the interval at which it writes to the object store, such as 5ms; null for its default
 * @param transact whether each reads the record and writes it in a serializable transaction, and does not only put it
 */
record SlateDbCommits(Path python, Path program, @Nullable String flush, boolean transact) implements Contender {
    @Override
    public String name() {
        return "SlateDB, flush " + (flush == null ? "by default" : flush) + (transact ? ", reads and writes" : "");
    }

    @Override
    public Contender.Store open(Place place, int callers) {
        ProcessBuilder process = new ProcessBuilder(
                python.toString(),
                program.toString(),
                Place.BUCKET,
                "slatedb-" + UUID.randomUUID(),
                Integer.toString(callers),
                transact ? "serializable" : "put",
                flush == null ? "default" : flush);
        URI server = place.proxy().address();
        process.environment().put("AWS_ENDPOINT", server.toString());
        process.environment().put("AWS_ALLOW_HTTP", "true");
        process.environment().put("AWS_REGION", RealServers.Endpoint.REGION);
        process.environment().put("AWS_ACCESS_KEY_ID", "test");
        process.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        process.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            return new Store(process.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells the process by lines when to go on. */
    private record Store(Process process, BufferedReader lines) implements Contender.Store {
        Store(Process process) {
            this(process, process.inputReader());
        }

        @Override
        public void warm() {
            if (!line().equals("warm")) {
                throw new IllegalStateException("SlateDB does not commit; its complaint is above");
            }
        }

        @Override
        public List<Double> commits(Duration length) {
            say(String.valueOf(length.toMillis() / 1e3));
            try {
                return Arrays.stream(JsonMapper.builder().build().readValue(line(), double[].class))
                        .boxed()
                        .toList();
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("SlateDB's commits are not told", e);
            }
        }

        private String line() {
            try {
                String line = lines.readLine();
                return line == null ? "" : line;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void say(String line) {
            try {
                process.outputWriter().write(line + "\n");
                process.outputWriter().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            say("close");
            try {
                int unused = process.waitFor();
            } catch (InterruptedException e) {
                process.destroyForcibly();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
