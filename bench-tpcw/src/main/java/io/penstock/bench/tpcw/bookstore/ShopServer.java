package io.penstock.bench.tpcw.bookstore;

import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;

/**
 * A web server of the shop: one handle of the store, which runs the interactions of many customers, each in a session
 * of its own. Safe for use by many threads. It does not close the store.
 */
public final class ShopServer {
    private final Penstock store;
    private final Tasks tasks;
    private final Storefront shop;
    private final BestSellerLists bestSellers;

    /** A server on an open store that has been filled. */
    public ShopServer(Penstock store, Tasks tasks) {
        this.store = store;
        this.tasks = tasks;
        this.shop = Storefront.open(store);
        this.bestSellers = new BestSellerLists(shop.tables(), tasks);
    }

    /** The session of a customer. */
    public Session newSession() {
        return store.newSession();
    }

    /** Runs an interaction in a transaction of {@code session}, again after conflicts. */
    public <S extends Interaction.Shown> S serve(Session session, Interaction<S> interaction) {
        return serve(session, interaction, attempted -> {});
    }

    /** @param attempt receives the content that an attempt would show, before it commits */
    public <S extends Interaction.Shown> S serve(
            Session session, Interaction<S> interaction, Consumer<? super S> attempt) {
        return session.transact(tx -> {
            S shown = run(tx, interaction);
            attempt.accept(shown);
            return shown;
        });
    }

    /** Runs an interaction in a transaction of the caller, who runs it again after a conflict. */
    public <S extends Interaction.Shown> S run(Transaction tx, Interaction<S> interaction) {
        return interaction.run(new Visit(this, tx));
    }

    public Storefront shop() {
        return shop;
    }

    Tasks tasks() {
        return tasks;
    }

    BestSellerLists bestSellers() {
        return bestSellers;
    }
}
