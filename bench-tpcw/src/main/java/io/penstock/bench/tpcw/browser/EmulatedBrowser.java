package io.penstock.bench.tpcw.browser;

import io.penstock.Session;
import io.penstock.bench.tpcw.anomaly.PageFacts;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.bench.tpcw.interaction.BuyConfirm;
import io.penstock.bench.tpcw.interaction.BuyRequest;
import io.penstock.bench.tpcw.interaction.Interaction;
import io.penstock.bench.tpcw.interaction.InteractionKind;
import io.penstock.bench.tpcw.interaction.OrderDisplay;
import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An emulated browser: asks for pages one after the other, thinks in between, and begins a new session when one has
 * lasted long enough. For one thread.
 */
final class EmulatedBrowser {
    private final RunPlan plan;
    private final ShopServer server;
    private final Tasks tasks;
    private final long untilNanos;
    private final Consumer<SessionEvent> witness;
    private final ItemChoice items;
    private final Draws draws;
    private final int number;
    private int sessions;
    private List<PageFacts> underway = List.of();

    EmulatedBrowser(
            RunPlan plan,
            ItemChoice items,
            int number,
            ShopServer server,
            Tasks tasks,
            long untilNanos,
            Consumer<SessionEvent> witness) {
        this.plan = plan;
        this.server = server;
        this.tasks = tasks;
        this.untilNanos = untilNanos;
        this.witness = witness;
        this.items = items;
        this.number = number;
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
        long id = (long) number << Integer.SIZE | sessions++;
        long sessionEnd = tasks.nanoTime() + BrowserTimes.session(draws).toNanos();
        InteractionKind kind = InteractionKind.HOME;
        while (true) {
            ask(session, id, visitor, visitor.wish(kind));
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
        long left = untilNanos - tasks.nanoTime();
        long nanos = Math.min(left, BrowserTimes.think(draws).toNanos());
        if (nanos > 0) {
            tasks.sleep(Duration.ofNanos(nanos));
        }
        return tasks.nanoTime() < untilNanos;
    }

    private <S extends Interaction.Shown> void ask(Session session, long id, Visitor visitor, Interaction<S> wish) {
        long start = tasks.nanoTime();
        List<PageFacts> attempts = new ArrayList<>();
        underway = attempts;
        try {
            S shown = server.serve(session, wish, attempt -> {
                PageFacts page = PageFacts.of(attempt);
                attempts.add(page);
                witness.accept(new SessionEvent.Attempted(tasks.nanoTime(), page));
            });
            PageFacts page = PageFacts.of(shown);
            witness.accept(new SessionEvent.Answered(id, wish.kind(), start, tasks.nanoTime(), attempts.size(), page));
            visitor.see(shown);
        } catch (ShopException refusal) {
            witness.accept(new SessionEvent.Refused(tasks.nanoTime(), needsOwnWrites(wish)));
        } catch (ConflictException | UnavailableException failure) {
            witness.accept(new SessionEvent.Failed(tasks.nanoTime()));
        } catch (OutcomeUnknownException unknown) {
            witness.accept(new SessionEvent.Unknown(tasks.nanoTime(), attempts));
        } finally {
            underway = List.of();
        }
    }

    /** Whether a refusal would be wrong if the session saw what it has written. */
    private static boolean needsOwnWrites(Interaction<?> interaction) {
        return switch (interaction) {
            case BuyRequest request -> true;
            case BuyConfirm confirm -> confirm.customerId() != 0;
            case OrderDisplay display -> true;
            case Interaction<?> other -> false;
        };
    }

    /** Notes that the server died: the outcome of a request that was under way stays unknown. */
    void serverDied(long nanos) {
        if (!underway.isEmpty()) {
            witness.accept(new SessionEvent.Unknown(nanos, underway));
        }
    }
}
