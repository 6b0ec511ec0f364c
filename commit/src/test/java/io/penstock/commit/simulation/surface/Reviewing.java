package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import io.penstock.ConsistencyLevel;
import io.penstock.Review;
import io.penstock.Review.Proposal;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Proposals.Proposed;
import io.penstock.commit.simulation.surface.Proposals.Settling;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What contributors and curators do: they propose changes, and approve, reject or withdraw what was proposed. */
final class Reviewing {
    private static final String ORDER = "a review lists proposals by their ids";
    private static final int ALL = 10_000;
    private static final int HOT = 2;

    private final String name;
    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final List<Known> own = new ArrayList<>();

    /** A proposal with its id. */
    private record Known(String id, Proposed proposed) {}

    Reviewing(String name, Drawn drawn, Log log, SplittableRandom random) {
        this.name = name;
        this.drawn = drawn;
        this.log = log;
        this.random = random;
    }

    /** One thing that a contributor does, who now and then decides too, as a curator beside others. */
    void contribute(Handle handle) {
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> propose(handle);
            case 3 -> {
                if (!own.isEmpty()) {
                    Known known = own.get(random.nextInt(own.size()));
                    withdraw(handle, known);
                }
            }
            case 4 -> list(handle, collection(), true);
            default -> curate(handle);
        }
    }

    /** Looks at what waits, and decides on some. */
    void curate(Handle handle) {
        String collection = collection();
        for (Known known : list(handle, collection, false)) {
            switch (random.nextInt(6)) {
                case 0, 1 -> approve(handle, known, false);
                case 2 -> approve(handle, known, true);
                case 3 -> reject(handle, known);
                default -> {} // it waits on
            }
            if (random.nextInt(6) == 0) {
                own.add(known); // it is looked at again, whatever was decided
            }
        }
        if (!own.isEmpty() && random.nextInt(4) == 0) {
            approve(handle, own.get(random.nextInt(own.size())), random.nextBoolean());
        }
    }

    private String collection() {
        return random.nextInt(3) == 0 ? "b" : "a";
    }

    private Review<String, String> review(Handle handle, String collection, String method) {
        log.calls.called("Review.of(RecordCollection)");
        log.calls.called("Review." + method);
        return Review.of(handle.records(collection));
    }

    private Review<String, String> review(Handle handle, Proposed proposed, String method) {
        return review(handle, proposed.record().substring(0, 1), method);
    }

    private Attempt attempt(Handle handle, String what, ConsistencyLevel level, Duration age) {
        String session = handle.machine.name() + "/default";
        log.count(what, drawn, what.equals("LISTS") ? "OUTSIDE" : "REVIEW", "DEFAULT_SESSION");
        String context = (what.equals("LISTS") ? "OUTSIDE" : what) + " in session " + session;
        Attempt attempt = new Attempt(name, session, context, level, age, handle.machine.nanoTime());
        log.attempts.add(attempt);
        return attempt;
    }

    private Attempt attempt(Handle handle, String what, Proposed proposed) {
        Attempt attempt = attempt(handle, what, ConsistencyLevel.SERIALIZABLE, Duration.ZERO);
        attempt.proposed = proposed;
        return attempt;
    }

    // ---- Proposals

    private void propose(Handle handle) {
        String collection = collection();
        // Often for one of a few records, so that another proposal for it is approved first.
        String key = Acts.key(random.nextInt(random.nextBoolean() ? HOT : drawn.keys()));
        String value = drawn.has(DELETES) && random.nextInt(5) == 0 ? null : value(collection);
        Proposed proposed = new Proposed(log.drawId(), collection + "/" + key, value);
        Attempt attempt = attempt(handle, "PROPOSES", proposed);
        attempt.puts.put(proposed.key(), Optional.of(proposed.waiting()));
        boolean digests = Proposals.knowsDigest(drawn, proposed.record());
        attempt.write("propose " + proposed, state -> {
            state.put(proposed.key(), proposed.waiting());
            if (digests) {
                state.put(proposed.baseKey(), digest(state.get(proposed.record())));
            }
        });
        log.commits(attempt);
        end(handle, attempt, () -> {
            String id = review(handle, collection, "propose(Object,Optional,String)")
                    .propose(key, Optional.ofNullable(value), proposed.by());
            own.add(new Known(id, proposed));
            return End.COMMITTED;
        });
    }

    private String value(String collection) {
        boolean large = drawn.has(LARGE) && random.nextInt(3) == 0;
        int padding = large ? drawn.pageBytes() / 3 + random.nextInt(400) : random.nextInt(40);
        boolean isUnique = drawn.has(UNIQUE) && collection.equals("a") && random.nextInt(3) == 0;
        return Item.of(log.drawId(), random.nextInt(Item.GROUPS), isUnique ? "u" + random.nextInt(12) : "", 0, padding);
    }

    static String digest(@Nullable String value) {
        if (value == null) {
            return "";
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(Bytes.utf8(value).toArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The proposals that wait, or were rejected; a list that is cut off has the first ones. */
    private List<Known> list(Handle handle, String collection, boolean rejected) {
        int most = drawn.has(LIMITS) && random.nextInt(3) == 0 ? 1 + random.nextInt(4) : ALL;
        List<Known> found = new ArrayList<>();
        Attempt attempt = attempt(handle, "LISTS", drawn.level(), drawn.staleness());
        end(handle, attempt, () -> {
            Review<String, String> review = review(handle, collection, rejected ? "rejected(int)" : "pending(int)");
            Map<String, String> seen = new TreeMap<>();
            String last = "";
            for (Proposal<String, String> each : rejected ? review.rejected(most) : review.pending(most)) {
                Proposed proposed = proposed(collection, each);
                found.add(new Known(each.id(), proposed));
                seen.put(proposed.by(), text(proposed, each));
                if (each.id().compareTo(last) <= 0) {
                    log.alarm(ORDER, each.id() + " after " + last);
                }
                last = each.id();
            }
            attempt.look(
                    (rejected ? "rejected " : "pending ") + most + " of " + collection,
                    seen,
                    Map.of(),
                    handle.machine.nanoTime(),
                    state -> {
                        Map<String, String> all = Proposals.of(state, collection, rejected);
                        boolean isFirst = all.entrySet().containsAll(seen.entrySet())
                                && seen.size() == Math.min(most, all.size());
                        return isFirst ? seen : all;
                    });
            return End.COMMITTED;
        });
        return found;
    }

    static Proposed proposed(String collection, Proposal<String, String> proposal) {
        return new Proposed(
                proposal.by(),
                collection + "/" + proposal.key(),
                proposal.value().orElse(null));
    }

    static String text(Proposed proposed, Proposal<String, String> proposal) {
        return proposal.rejected().map(proposed::rejected).orElseGet(proposed::waiting);
    }

    // ---- Decisions

    private void approve(Handle handle, Known known, boolean regardless) {
        Proposed proposed = known.proposed;
        Attempt attempt = attempt(handle, "APPROVES", proposed);
        attempt.settling = Settling.APPROVES;
        log.commits(attempt);
        end(handle, attempt, () -> {
            if (regardless) {
                review(handle, proposed, "approveRegardless(String)").approveRegardless(known.id);
            } else {
                review(handle, proposed, "approve(String)").approve(known.id);
                sameBase(handle, attempt, proposed, true);
            }
            waits(handle, attempt, proposed, true);
            attempt.settle();
            return End.COMMITTED;
        });
    }

    private static void waits(Handle handle, Attempt attempt, Proposed proposed, boolean seen) {
        String by = proposed.by();
        attempt.look("waits " + by, seen, Map.of(), handle.machine.nanoTime(), state -> Proposals.waits(state, by));
    }

    private void sameBase(Handle handle, Attempt attempt, Proposed proposed, boolean seen) {
        if (Proposals.knowsDigest(drawn, proposed.record())) {
            attempt.look(
                    "unchanged since " + proposed.by(),
                    seen,
                    Map.of(),
                    handle.machine.nanoTime(),
                    state -> digest(state.get(proposed.record())).equals(state.get(proposed.baseKey())));
        }
    }

    private void reject(Handle handle, Known known) {
        Proposed proposed = known.proposed;
        String reason = log.drawId();
        Attempt attempt = attempt(handle, "REJECTS", proposed);
        rejected(attempt, proposed, reason);
        log.commits(attempt);
        end(handle, attempt, () -> {
            review(handle, proposed, "reject(String,String)").reject(known.id, reason);
            attempt.forget();
            waits(handle, attempt, proposed, true);
            rejected(attempt, proposed, reason);
            return End.COMMITTED;
        });
    }

    private static void rejected(Attempt attempt, Proposed proposed, String reason) {
        attempt.put(proposed.key(), proposed.rejected(reason));
    }

    private void withdraw(Handle handle, Known known) {
        Proposed proposed = known.proposed;
        String key = proposed.key();
        Attempt attempt = attempt(handle, "WITHDRAWS", proposed);
        attempt.settling = Settling.WITHDRAWS;
        log.commits(attempt);
        end(handle, attempt, () -> {
            boolean there = review(handle, proposed, "withdraw(String)").withdraw(known.id);
            attempt.look(
                    "is there " + key, there, Map.of(), handle.machine.nanoTime(), state -> state.containsKey(key));
            if (there) {
                attempt.settle();
            } else {
                attempt.settling = Settling.NONE;
            }
            return End.COMMITTED;
        });
    }

    // ---- Ends

    private void end(Handle handle, Attempt attempt, Supplier<End> program) {
        End end;
        try {
            end = program.get();
        } catch (StoreException failure) {
            end = endOf(handle, attempt, failure);
        }
        attempt.end(end, handle.machine.nanoTime());
    }

    private End endOf(Handle handle, Attempt attempt, StoreException failure) {
        Proposed proposed = attempt.proposed;
        boolean refuses = failure.getMessage().contains("proposal=") && proposed != null;
        return switch (failure) {
            case OutcomeUnknownException unknown -> End.UNKNOWN;
            case ConflictException changed
            when refuses -> {
                answered(attempt);
                sameBase(handle, attempt, proposed, false);
                waits(handle, attempt, proposed, true);
                yield End.ANSWERED;
            }
            case DuplicateException taken -> {
                answered(attempt);
                taken(handle, attempt);
                yield End.ANSWERED;
            }
            case InvalidRequestException gone
            when refuses -> {
                answered(attempt);
                waits(handle, attempt, proposed, false);
                yield End.ANSWERED;
            }
            case ConflictException conflict -> End.FAILED;
            case UnavailableException unavailable -> End.FAILED;
            case ClosedException closed -> End.FAILED;
            default -> {
                log.unexpected(failure, drawn);
                yield End.FAILED;
            }
        };
    }

    private static void answered(Attempt attempt) {
        attempt.forget();
        attempt.decides = true;
    }

    private void taken(Handle handle, Attempt attempt) {
        Proposed proposed = attempt.proposed;
        String value = proposed == null ? null : proposed.value();
        if (value != null && !drawn.has(INDEX_ADDED)) {
            String unique = Item.unique(value);
            String key = proposed.record().substring(2);
            attempt.look(
                    "duplicate " + unique,
                    true,
                    Map.of(),
                    handle.machine.nanoTime(),
                    state -> Acts.isTaken(state, key, unique));
        }
    }
}
