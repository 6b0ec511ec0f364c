package io.penstock.bench.tpcw.browser;

import io.penstock.Session;
import io.penstock.bench.tpcw.anomaly.History;
import io.penstock.bench.tpcw.anomaly.SessionMemory;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.bench.tpcw.interaction.Interaction;
import io.penstock.bench.tpcw.interaction.InteractionKind;
import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An emulated browser: asks for pages one after the other, thinks in between, and begins a new session when one has
 * lasted long enough. For one thread.
 */
final class EmulatedBrowser {
    private final RunPlan plan;
    private final ShopServer server;
    private final Tasks tasks;
    private final History history;
    private final Answers answers;
    private final ItemChoice items;
    private final Draws draws;
    private List<? extends Interaction.Shown> underway = List.of();

    EmulatedBrowser(
            RunPlan plan,
            ItemChoice items,
            int number,
            ShopServer server,
            Tasks tasks,
            History history,
            Answers answers) {
        this.plan = plan;
        this.server = server;
        this.tasks = tasks;
        this.history = history;
        this.answers = answers;
        this.items = items;
        this.draws = Draws.of(plan.seed(), "browser", number);
    }

    /** Browses until the measurement interval ends. */
    void run() {
        boolean more = think();
        while (more) {
            try (Session session = server.newSession()) {
                more = browse(session);
            }
        }
    }

    /** One session; returns whether there is time for another. */
    private boolean browse(Session session) {
        Visitor visitor = new Visitor(plan.load().scale(), items, draws);
        SessionMemory memory = new SessionMemory();
        long sessionEnd = tasks.nanoTime() + BrowserTimes.session(draws).toNanos();
        InteractionKind kind = InteractionKind.HOME;
        while (true) {
            ask(session, visitor, memory, visitor.wish(kind));
            if (!think()) {
                return false;
            }
            kind = plan.load().mix().next(kind, draws.between(1, Mix.DRAW_MAX));
            if (kind == InteractionKind.HOME && tasks.nanoTime() >= sessionEnd) {
                return true;
            }
        }
    }

    /** Sleeps for a think time; returns whether there is time left for another page. */
    private boolean think() {
        long left = answers.toNanos() - tasks.nanoTime();
        long nanos = Math.min(left, BrowserTimes.think(draws).toNanos());
        if (nanos > 0) {
            tasks.sleep(Duration.ofNanos(nanos));
        }
        return tasks.nanoTime() < answers.toNanos();
    }

    private <S extends Interaction.Shown> void ask(
            Session session, Visitor visitor, SessionMemory memory, Interaction<S> wish) {
        long start = tasks.nanoTime();
        List<S> attempts = new ArrayList<>();
        underway = attempts;
        try {
            S shown = server.serve(session, wish, attempt -> {
                attempts.add(attempt);
                history.attempt(attempt);
            });
            long end = tasks.nanoTime();
            history.read(memory, shown, start);
            history.acknowledge(memory, shown, end);
            visitor.see(shown);
            answers.page(wish.kind(), start, end, attempts.size());
        } catch (ShopException refusal) {
            history.refused(wish);
            answers.refused(tasks.nanoTime());
        } catch (ConflictException | UnavailableException failure) {
            answers.failed(tasks.nanoTime());
        } catch (OutcomeUnknownException unknown) {
            attempts.forEach(history::unknown);
            answers.unknown(tasks.nanoTime());
        } finally {
            underway = List.of();
        }
    }

    /** Nobody will learn what became of a request that was under way when the server died. */
    void serverDied() {
        underway.forEach(history::unknown);
    }
}
