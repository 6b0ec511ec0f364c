package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import io.penstock.ConsistencyLevel;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.TransactionBody;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One user of a store, who runs drawn programs one after another, on one handle after another. */
final class User {
    private static final int STEPS_MAX = 5;
    private static final int LONG_MILLIS_MAX = 90_000;

    private static final String ONCE = "a transaction with an id is committed once, and known to be";

    private final String name;
    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final Reviewing reviewing;
    private int round;
    private String sessionName = "";
    private @Nullable Session session;
    private @Nullable Session shared;

    /** What a body throws to decide. */
    private static final class Decision extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** The same, as an error. */
    private static final class DecisionError extends Error {
        private static final long serialVersionUID = 1;
    }

    private enum Ending {
        RETURNS,
        COMMITS,
        ABORTS,
        THROWS,
        THROWS_ERROR,
        THROWS_OF_THE_STORE
    }

    User(String name, Drawn drawn, Log log, SplittableRandom random) {
        this.name = name;
        this.drawn = drawn;
        this.log = log;
        this.random = random;
        this.reviewing = new Reviewing(name, drawn, log, random);
    }

    boolean isDone() {
        return round >= drawn.rounds();
    }

    /**
     * @param common session of all users of the handle
     * @param rounds of this handle
     */
    void work(Handle handle, Session common, int rounds) {
        session = null;
        shared = drawn.has(SHARED) ? common : null;
        for (int i = 0; i < rounds && !isDone(); i++) {
            round++;
            think(handle);
            if (!drawn.has(DEADLINES) || random.nextInt(3) > 0) {
                program(handle);
                continue;
            }
            try {
                log.calls.called("Session.withDeadline(Duration,Supplier)");
                handle.store.session().withDeadline(Duration.ofMillis(1 + random.nextInt(4_000)), () -> {
                    program(handle);
                    return true;
                });
            } catch (StoreException late) {
                if (!(late instanceof OutcomeUnknownException || late instanceof ClosedException)) {
                    log.alarm("calls that a deadline leaves behind have no known outcome", Log.stackOf(late));
                }
                log.say(handle, name + " " + late.getClass().getSimpleName());
            }
        }
    }

    private void think(Handle handle) {
        try {
            handle.machine.sleep(Duration.ofMillis(random.nextInt(drawn.thinkMillis())));
        } catch (UnavailableException interrupted) {
            handle.machine.clearInterrupt();
        }
    }

    private void program(Handle handle) {
        List<Runnable> possible = new ArrayList<>(List.of(() -> transact(handle)));
        if (drawn.has(BEGIN)) {
            possible.add(() -> begin(handle));
        }
        if (drawn.has(READ)) {
            possible.add(() -> read(handle));
            possible.add(() -> beginRead(handle));
        }
        if (drawn.has(OUTSIDE)) {
            possible.add(() -> outside(handle));
            possible.add(() -> outside(handle));
        }
        if (drawn.has(REVIEW)) {
            possible.add(() -> reviewing.contribute(handle));
        }
        try {
            choose(handle);
            possible.get(random.nextInt(possible.size())).run();
        } catch (StoreException failure) {
            log.unexpected(failure, drawn);
        }
        handle.machine.clearInterrupt();
    }

    /** The records that are there from the start. */
    void fill(Handle handle) {
        Attempt attempt = attempt(handle, "FILL", drawn.level(), Duration.ZERO, handle.machine.nanoTime());
        boolean unused = handle.store.transact(transaction -> {
            for (int i = 0; i < drawn.keys(); i += 1 + random.nextInt(2)) {
                String value = Item.of(log.drawId(), random.nextInt(Item.GROUPS), "", 0, random.nextInt(40));
                transaction.put(handle.a, Acts.key(i), value);
                attempt.put("a/" + Acts.key(i), value);
            }
            return true;
        });
        attempt.end(End.COMMITTED, handle.machine.nanoTime());
    }

    // ---- Sessions

    /** Goes on in the default session, in one of its own, in one that others use too, or in that of a token. */
    private void choose(Handle handle) {
        Session before = session;
        int choice = random.nextInt(6);
        if (choice == 0 && drawn.has(SESSIONS)) {
            log.calls.called("Penstock.newSession()");
            session = handle.store.newSession();
            sessionName = log.drawId();
        } else if (choice == 1 && shared != null) {
            session = shared;
        } else if (choice == 2 && drawn.has(TOKENS)) {
            log.calls.called("Session.token()");
            Log.Origin origin = new Log.Origin(nameOfSession(handle), handle.machine.nanoTime());
            String token = (before == null ? handle.store.session() : before).token();
            sessionName = log.drawId();
            log.origins.put(sessionName, origin);
            log.calls.called("Penstock.session(String)");
            session = handle.store.session(token);
        } else if (choice == 3) {
            session = null;
        }
        if (before != null && before != session && before != shared) {
            log.calls.called("Session.close()");
            before.close();
        }
    }

    private String kindOfSession() {
        return session == null ? "DEFAULT_SESSION" : session == shared ? "SHARED_SESSION" : "SESSION";
    }

    private String nameOfSession(Handle handle) {
        String machine = handle.machine.name();
        return session == null ? machine + "/default" : session == shared ? machine + "/shared" : sessionName;
    }

    private Session session(Handle handle, String method) {
        Session own = session;
        log.calls.called(own == null ? "Penstock." + method : "Session." + method);
        return own == null ? handle.store.session() : own;
    }

    // ---- Programs

    private ConsistencyLevel level() {
        if (random.nextInt(6) > 0) {
            return drawn.level();
        }
        return random.nextBoolean() ? ConsistencyLevel.SNAPSHOT : ConsistencyLevel.SERIALIZABLE;
    }

    private Attempt attempt(Handle handle, String context, ConsistencyLevel level, Duration age, long beginNanos) {
        String of = nameOfSession(handle);
        Attempt attempt = new Attempt(name, of, context + " in session " + of, level, age, beginNanos);
        log.attempts.add(attempt);
        return attempt;
    }

    private Acts acts(Handle handle, Attempt attempt, Way way, SplittableRandom luck) {
        return new Acts(drawn, handle, log, luck, way, attempt);
    }

    private void run(Step step, Handle handle, Attempt attempt, Way way, SplittableRandom luck) {
        String how = way.transaction() == null && !attempt.context.startsWith("OUTSIDE") ? "INSIDE" : attempt.way();
        log.count(step.name(), drawn, how, kindOfSession());
        step.run(acts(handle, attempt, way, luck));
    }

    /** Some steps of a body, and now and then others that join its transaction. */
    private void steps(Handle handle, Attempt attempt, Transaction transaction, SplittableRandom luck, boolean writes) {
        Way way = new Way(transaction, log.calls);
        boolean pauses = drawn.has(LONG) && luck.nextInt(4) == 0;
        // What runs in a body on its thread joins; who begins by hand has no body.
        boolean joins = !attempt.context.startsWith("BEGIN") && attempt.level == drawn.level();
        for (int i = 1 + luck.nextInt(STEPS_MAX); i > 0; i--) {
            if (pauses && luck.nextBoolean()) {
                handle.machine.sleep(Duration.ofMillis(luck.nextInt(LONG_MILLIS_MAX)));
            } else if (luck.nextBoolean()) {
                handle.machine.sleep(Duration.ofMillis(luck.nextInt(1_500)));
            }
            if (joins && drawn.has(NESTED) && luck.nextInt(4) == 0) {
                nest(handle, attempt, luck, writes);
            } else if (joins && drawn.has(INSIDE) && luck.nextInt(4) == 0) {
                boolean writing = writes && luck.nextBoolean();
                Step step = Step.draw(drawn, handle, writing, true, luck);
                run(step, handle, attempt, new Way(null, log.calls), luck);
            } else {
                Step step = Step.draw(drawn, handle, writes && luck.nextBoolean(), false, luck);
                run(step, handle, attempt, way, luck);
            }
        }
    }

    /** Another transaction of the same store within the body of one: all that it does is of the outer one. */
    private void nest(Handle handle, Attempt attempt, SplittableRandom luck, boolean writes) {
        SplittableRandom inner = luck.split();
        TransactionBody<Boolean> body = transaction -> {
            Way way = new Way(transaction, log.calls);
            for (int i = 1 + inner.nextInt(2); i > 0; i--) {
                Step step = Step.draw(drawn, handle, writes && inner.nextBoolean(), false, inner);
                log.count(step.name(), drawn, "NESTED", kindOfSession());
                step.run(acts(handle, attempt, way, inner));
            }
            return true;
        };
        if (!writes || luck.nextInt(4) == 0) {
            boolean unused = handle.store.read(t -> {
                Way way = new Way(t, log.calls);
                Step.draw(drawn, handle, false, false, inner).run(acts(handle, attempt, way, inner));
                return true;
            });
        } else if (drawn.has(IDS) && drawn.level().isolates() && luck.nextBoolean()) {
            Optional<Boolean> unused = handle.store.transact(log.drawId(), body);
        } else {
            boolean unused = handle.store.transact(body);
        }
    }

    private void begin(Handle handle) {
        ConsistencyLevel level = level();
        boolean usual = level == drawn.level() && random.nextBoolean();
        Session chosen = session(handle, usual ? "begin()" : "begin(ConsistencyLevel)");
        boolean bound = drawn.has(INSIDE) && level == drawn.level() && random.nextInt(3) == 0;
        Attempt attempt = attempt(handle, bound ? "BOUND" : "BEGIN", level, Duration.ZERO, handle.machine.nanoTime());
        end(handle, attempt, () -> {
            try (Transaction transaction = usual ? chosen.begin() : chosen.begin(level)) {
                log.calls.called("Transaction.close()");
                steps(handle, attempt, transaction, bound);
                if (drawn.has(ABORTS) && random.nextInt(4) == 0) {
                    log.calls.called("Transaction.abort()");
                    transaction.abort();
                    return End.ANSWERED;
                }
                log.calls.called("Transaction.commit()");
                log.commits(attempt);
                attempt.stamp = transaction.commit();
                return End.COMMITTED;
            }
        });
    }

    /** Some steps, for which the thread is in the transaction if that is bound to it. */
    private void steps(Handle handle, Attempt attempt, Transaction transaction, boolean bound) {
        SplittableRandom plan = random.split();
        if (bound) {
            log.calls.called("Transaction.bind()");
            transaction.bind();
        }
        try {
            steps(handle, attempt, transaction, plan, true);
        } finally {
            if (bound) {
                log.calls.called("Transaction.unbind()");
                transaction.unbind();
            }
        }
    }

    private Ending ending(SplittableRandom luck) {
        int choice = luck.nextInt(10);
        if (choice == 0) {
            return Ending.COMMITS;
        }
        if (choice < 4 && drawn.has(ABORTS)) {
            return Ending.ABORTS;
        }
        if (choice > 6 && drawn.has(THROWS)) {
            return List.of(Ending.THROWS, Ending.THROWS_ERROR, Ending.THROWS_OF_THE_STORE)
                    .get(choice - 7);
        }
        return Ending.RETURNS;
    }

    /**
     * Runs a transaction with an id, several times where the outcome is unknown, and now and then where it is known: in
     * the end it was committed once or never, and the program knows.
     */
    private void once(Handle handle) {
        String id = log.drawId();
        SplittableRandom plan = random.split();
        Ending ending = ending(random);
        List<Attempt> unknown = new ArrayList<>();
        boolean done = false;
        // Once: after a deadline this goes on beside the user's next programs, which may use another handle.
        Session chosen = session(handle, "transact(String,TransactionBody)");
        for (int tries = 1 + random.nextInt(4); tries > 0; tries--) {
            Runs runs = new Runs(handle, "ONCE " + ending, drawn.level(), Duration.ZERO);
            AtomicReference<@Nullable Optional<Boolean>> told = new AtomicReference<>();
            runs.end(() -> told.set(chosen.transact(id, transaction -> {
                Attempt attempt = runs.next();
                steps(handle, attempt, transaction, plan.split(), true);
                finish(ending, transaction, attempt);
                return true;
            })));
            Attempt last = runs.last;
            Optional<Boolean> result = told.get();
            if (last != null && last.end == End.UNKNOWN) {
                unknown.add(last);
            } else if (result != null && result.isEmpty()) {
                if (last != null) {
                    last.end(End.FAILED, handle.machine.nanoTime());
                }
                if (!done && unknown.isEmpty()) {
                    log.alarm(ONCE, id + " was never committed, and is told to be");
                } else if (!done && unknown.size() == 1) {
                    unknown.getFirst().end(End.COMMITTED, handle.machine.nanoTime());
                }
                done = true;
                unknown.clear();
            } else if (last != null && last.end == End.COMMITTED) {
                if (done) {
                    log.alarm(ONCE, id + " is committed again by " + last);
                }
                unknown.forEach(before -> before.end(End.FAILED, handle.machine.nanoTime()));
                unknown.clear();
                done = true;
            }
        }
    }

    private void transact(Handle handle) {
        if (drawn.has(IDS) && drawn.level().isolates() && random.nextInt(3) == 0) {
            once(handle);
            return;
        }
        ConsistencyLevel level = level();
        boolean usual = level == drawn.level() && random.nextBoolean();
        Session chosen =
                session(handle, usual ? "transact(TransactionBody)" : "transact(ConsistencyLevel,TransactionBody)");
        SplittableRandom plan = random.split();
        Ending ending = ending(random);
        Runs runs = new Runs(handle, "TRANSACT " + ending, level, Duration.ZERO);
        TransactionBody<Boolean> body = transaction -> {
            Attempt attempt = runs.next();
            log.calls.called("TransactionBody.run(Transaction)");
            steps(handle, attempt, transaction, plan.split(), true);
            finish(ending, transaction, attempt);
            return true;
        };
        runs.end(() -> {
            boolean unused = usual ? chosen.transact(body) : chosen.transact(level, body);
        });
    }

    private void finish(Ending ending, Transaction transaction, Attempt attempt) {
        log.commits(attempt);
        attempt.decides = ending != Ending.RETURNS && ending != Ending.COMMITS;
        switch (ending) {
            case RETURNS -> {}
            case COMMITS -> attempt.stamp = transaction.commit();
            case ABORTS -> transaction.abort();
            case THROWS -> throw new Decision();
            case THROWS_ERROR -> throw new DecisionError();
            case THROWS_OF_THE_STORE -> throw new InvalidRequestException("a decision of the body");
        }
    }

    private void read(Handle handle) {
        Session chosen = session(handle, "read(TransactionBody)");
        SplittableRandom plan = random.split();
        Ending ending = drawn.has(THROWS) && random.nextInt(4) == 0 ? Ending.THROWS : Ending.RETURNS;
        Runs runs = new Runs(handle, "READ " + ending, drawn.level(), drawn.staleness());
        runs.end(() -> {
            boolean unused = chosen.read(transaction -> {
                Attempt attempt = runs.next();
                steps(handle, attempt, transaction, plan.split(), false);
                finish(ending, transaction, attempt);
                return true;
            });
        });
    }

    private void beginRead(Handle handle) {
        ConsistencyLevel level = level();
        boolean usual = level == drawn.level() && random.nextBoolean();
        log.calls.called(usual ? "Session.beginRead()" : "Session.beginRead(ConsistencyLevel)");
        Session chosen = session == null ? handle.store.session() : session;
        Attempt attempt = attempt(handle, "BEGIN_READ", level, drawn.staleness(), handle.machine.nanoTime());
        end(handle, attempt, () -> {
            try (Transaction transaction = usual ? chosen.beginRead() : chosen.beginRead(level)) {
                steps(handle, attempt, transaction, random.split(), false);
                return End.ANSWERED;
            }
        });
    }

    private void outside(Handle handle) {
        boolean writes = random.nextInt(3) == 0;
        Step step = Step.drawOutside(drawn, handle, writes, random);
        Duration age = writes ? Duration.ZERO : drawn.staleness();
        session = null;
        Attempt attempt = attempt(handle, "OUTSIDE", drawn.level(), age, handle.machine.nanoTime());
        end(handle, attempt, () -> {
            run(step, handle, attempt, new Way(null, log.calls), random);
            return End.COMMITTED;
        });
    }

    // ---- Ends

    private void end(Handle handle, Attempt attempt, Supplier<End> program) {
        try {
            attempt.end(program.get(), handle.machine.nanoTime());
        } catch (RuntimeException | DecisionError failure) {
            attempt.end(endOf(failure, attempt), handle.machine.nanoTime());
        }
    }

    private End endOf(Throwable failure, Attempt attempt) {
        return switch (failure) {
            case OutcomeUnknownException unknown -> End.UNKNOWN;
            case ConflictException stale when stale.code() == ErrorCode.STALE_VERSION -> End.ANSWERED;
            case ConflictException conflict -> End.FAILED;
            case DuplicateException taken -> End.ANSWERED;
            case CorruptDataException damage -> alarmed(damage);
            case UnavailableException unavailable -> End.FAILED;
            case ClosedException closed -> End.FAILED;
            case InvalidRequestException invalid when attempt.decides -> End.ANSWERED;
            case InvalidRequestException lacking
            when lacking.code() == ErrorCode.NO_KEY && drawn.has(LACKS_KEY) -> End.FAILED;
            case InvalidRequestException invalid -> alarmed(invalid);
            case Decision decision -> End.ANSWERED;
            case DecisionError decision -> End.ANSWERED;
            case RuntimeException other -> throw other;
            default -> throw new IllegalStateException(failure);
        };
    }

    private End alarmed(StoreException failure) {
        log.unexpected(failure, drawn);
        return End.FAILED;
    }

    /** The runs of one body. */
    private final class Runs {
        private final Handle handle;
        private final String context;
        private final ConsistencyLevel level;
        private final Duration age;
        private long beginNanos;
        private @Nullable Attempt last;

        Runs(Handle handle, String context, ConsistencyLevel level, Duration age) {
            this.handle = handle;
            this.context = context;
            this.level = level;
            this.age = age;
            this.beginNanos = handle.machine.nanoTime();
        }

        /** The run before, if there was one, was refused. */
        Attempt next() {
            Attempt before = last;
            if (before != null) {
                before.end(End.FAILED, handle.machine.nanoTime());
                beginNanos = handle.machine.nanoTime();
            }
            Attempt attempt = attempt(handle, context, level, age, beginNanos);
            last = attempt;
            return attempt;
        }

        void end(Runnable program) {
            Attempt none = new Attempt(name, "", context, level, age, beginNanos);
            End how;
            try {
                program.run();
                how = last != null && last.decides ? End.ANSWERED : End.COMMITTED;
            } catch (RuntimeException | DecisionError failure) {
                how = endOf(failure, last == null ? none : last);
            }
            Attempt ended = last;
            if (ended != null) {
                ended.end(how, handle.machine.nanoTime());
            }
        }
    }
}
