package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.surface.Attempt.Answer;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Attempt.Look;
import io.penstock.commit.simulation.surface.Attempt.Write;
import io.penstock.commit.simulation.surface.Proposals.Proposed;
import io.penstock.commit.simulation.surface.Proposals.Settling;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file of what one user did and saw, which outlives a kill of its process: each entry is written whole before the
 * next step. An entry is its length and a serialized object. For one thread.
 */
final class Journal implements AutoCloseable {
    private final DataOutputStream out;
    private final Map<Attempt, Integer> numbers = new IdentityHashMap<>();
    private int saved;

    /** A look whose answers are compared as text, since an {@link Optional} cannot be saved. */
    private record SavedLook(
            String what, int writes, Answer of, String seen, TreeMap<String, @Nullable String> records, long nanos)
            implements Serializable {
        static SavedLook of(Look look) {
            return new SavedLook(
                    look.what(),
                    look.writes(),
                    look.of(),
                    String.valueOf(look.seen()),
                    plain(look.records()),
                    look.nanos());
        }

        Look look() {
            Answer answer = of;
            return new Look(what, writes, state -> String.valueOf(answer.of(state)), seen, optional(records), nanos);
        }
    }

    /** An attempt as it was at one moment. A later entry of the same number replaces it. */
    private record SavedAttempt(
            int number,
            String user,
            String session,
            String context,
            ConsistencyLevel level,
            Duration staleness,
            long beginNanos,
            long endNanos,
            End end,
            boolean decides,
            boolean deletesRange,
            @Nullable Proposed proposed,
            Settling settling,
            long stampTime,
            long stampClient,
            TreeSet<Long> expiries,
            TreeMap<String, @Nullable String> puts,
            ArrayList<SavedLook> looks,
            ArrayList<Write> writes)
            implements Serializable {
        static SavedAttempt of(int number, Attempt attempt) {
            return new SavedAttempt(
                    number,
                    attempt.user,
                    attempt.session,
                    attempt.context,
                    attempt.level,
                    attempt.staleness,
                    attempt.beginNanos,
                    attempt.endNanos,
                    attempt.end,
                    attempt.decides,
                    attempt.deletesRange,
                    attempt.proposed,
                    attempt.settling,
                    attempt.stamp.time(),
                    attempt.stamp.client().value(),
                    new TreeSet<>(attempt.expiries),
                    plain(attempt.puts),
                    new ArrayList<>(attempt.looks.stream().map(SavedLook::of).toList()),
                    new ArrayList<>(attempt.writes));
        }

        Attempt attempt() {
            Attempt attempt = new Attempt(user, session, context, level, staleness, beginNanos);
            looks.forEach(look -> attempt.looks.add(look.look()));
            attempt.steps.addAll(attempt.looks);
            attempt.steps.addAll(writes);
            attempt.writes.addAll(writes);
            attempt.puts.putAll(optional(puts));
            attempt.expiries.addAll(expiries);
            attempt.deletesRange = deletesRange;
            attempt.decides = decides;
            attempt.proposed = proposed;
            attempt.settling = settling;
            attempt.stamp = new Stamp(stampTime, new ClientId(stampClient));
            attempt.end(end, endNanos);
            return attempt;
        }
    }

    private record SavedOrigin(String session, Log.Origin origin) implements Serializable {}

    /** @param file is made anew */
    Journal(Path file) {
        try {
            out = new DataOutputStream(Files.newOutputStream(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TreeMap<String, @Nullable String> plain(Map<String, Optional<String>> from) {
        TreeMap<String, @Nullable String> plain = new TreeMap<>();
        from.forEach((key, value) -> plain.put(key, value.orElse(null)));
        return plain;
    }

    private static Map<String, Optional<String>> optional(Map<String, @Nullable String> from) {
        Map<String, Optional<String>> optional = new TreeMap<>();
        from.forEach((key, value) -> optional.put(key, Optional.ofNullable(value)));
        return optional;
    }

    /** Saves an attempt as it is now. */
    void save(Attempt attempt) {
        write(SavedAttempt.of(numbers.computeIfAbsent(attempt, a -> saved++), attempt));
    }

    /** Saves all that a log has, and empties it. */
    void save(Log log) {
        log.attempts.forEach(this::save);
        log.origins.forEach((session, origin) -> write(new SavedOrigin(session, origin)));
        log.broken.forEach(this::write);
        log.attempts.clear();
        log.origins.clear();
        log.broken.clear();
        log.story.clear();
        numbers.clear();
    }

    private void write(Serializable entry) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
                objects.writeObject(entry);
            }
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            new DataOutputStream(whole).writeInt(bytes.size());
            bytes.writeTo(whole);
            out.write(whole.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be written; is the disk full?", e);
        }
    }

    /** Adds what a file has to a log. An entry that a kill has cut off is left out. */
    static void read(Path file, Log into) {
        Map<Integer, Attempt> attempts = new TreeMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                byte[] bytes = in.readNBytes(in.readInt());
                try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                    switch (objects.readObject()) {
                        case SavedAttempt saved -> attempts.put(saved.number, saved.attempt());
                        case SavedOrigin saved -> into.origins.put(saved.session, saved.origin);
                        case Log.Broken broken -> into.broken.add(broken);
                        default -> throw new IOException("unknown entry in " + file);
                    }
                }
            }
        } catch (EOFException end) {
            into.attempts.addAll(attempts.values());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
