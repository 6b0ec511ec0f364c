package io.penstock.bench.commits;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Commits that programs make in processes of their own. A program writes "warm" when it has committed for some seconds,
 * reads for how many seconds it shall measure, writes the milliseconds of each commit as a line of JSON, and ends when
 * another line comes.
 *
 * @param processes that share the callers
 */
record ProcessCommits(String name, int processes, Program program) implements Contender {
    /** A program that commits. */
    @FunctionalInterface
    interface Program {
        /** @param store a name that all processes of a measurement have, and no other one */
        ProcessBuilder start(Place place, String store, int callers);
    }

    @Override
    public Contender.Store open(Place place, int callers) {
        String store = "c" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        Store all = new Store(new ArrayList<>());
        try {
            for (int i = 0; i < processes; i++) {
                // The first makes what all use.
                all.children.add(Child.start(program.start(place, store, callers / processes)));
            }
        } catch (RuntimeException failure) {
            all.kill();
            throw failure;
        }
        return all;
    }

    private record Child(Process process, BufferedReader lines) {
        static Child start(ProcessBuilder builder) {
            try {
                Process process =
                        builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
                Child child = new Child(process, process.inputReader());
                if (!child.line().equals("warm")) {
                    process.destroyForcibly();
                    throw new IllegalStateException("a program does not commit; its complaint is above");
                }
                return child;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String line() {
            try {
                String line = lines.readLine();
                return line == null ? "" : line;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void say(String line) {
            try {
                process.outputWriter().write(line + "\n");
                process.outputWriter().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private record Store(List<Child> children) implements Contender.Store {
        /** They are warm when they have been opened. */
        @Override
        public void warm() {}

        @Override
        public List<Double> commits(Duration length) {
            children.forEach(child -> child.say(String.valueOf(length.toMillis() / 1e3)));
            return children.stream()
                    .map(child -> millis(child.line()))
                    .flatMap(List::stream)
                    .toList();
        }

        private static List<Double> millis(String line) {
            try {
                return Arrays.stream(JsonMapper.builder().build().readValue(line, double[].class))
                        .boxed()
                        .toList();
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("the commits of a program are not told", e);
            }
        }

        void kill() {
            children.forEach(child -> child.process.destroyForcibly());
        }

        @Override
        public void close() {
            try {
                for (Child child : children) {
                    child.say("close");
                    int unused = child.process.waitFor();
                }
            } catch (InterruptedException e) {
                kill();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
