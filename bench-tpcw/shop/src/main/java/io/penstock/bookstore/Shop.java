package io.penstock.bookstore;

import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Cart;
import io.penstock.bench.tpcw.bookstore.Interaction;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.bookstore.ShopServer;
import io.penstock.core.task.Tasks;
import io.penstock.spring.PenstockTemplate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * The shop that the pages show. It runs interactions in transactions of the visitor whom the thread serves, and again
 * after conflicts. Safe for use by many threads.
 */
@Service
public class Shop {
    private final PenstockTemplate store;
    private final ShopServer server;
    private final Settings settings;
    private final Scale scale;
    private final Tasks tasks;
    private final LongAdder conflicts = new LongAdder();

    Shop(PenstockTemplate store, ShopServer server, Settings settings, Scale scale, Tasks tasks) {
        this.store = store;
        this.server = server;
        this.settings = settings;
        this.scale = scale;
        this.tasks = tasks;
    }

    /** Runs an interaction, in the transaction of {@link #together} if there is one. */
    <S extends Interaction.Shown> S run(Interaction<S> interaction) {
        return together(() -> store.execute(transaction -> server.run(transaction, interaction)));
    }

    /**
     * Runs a body in one transaction, and again after a conflict. It reads what it decides by: another tab of the
     * visitor may have changed what was read before.
     */
    <T> T together(Supplier<T> body) {
        LongAdder attempts = new LongAdder();
        T result = store.execute(transaction -> {
            attempts.increment();
            return body.get();
        });
        conflicts.add(attempts.sum() - 1);
        return result;
    }

    /** The cart of an id; an empty one if there is none. */
    Cart cart(@Nullable Long id) {
        Cart none = Cart.empty(0);
        return id == null
                ? none
                : store.read(tx -> tx.get(server.shop().carts(), id)).orElse(none);
    }

    /** Items by id. */
    Map<Long, Item> items(Collection<Long> ids) {
        return store.read(
                transaction -> transaction.getAll(server.shop().tables().items(), ids));
    }

    /** The id of an item, drawn at random: the pages show what is related to it. */
    long anyItem() {
        return tasks.random().nextLong(1, scale.items() + 1L);
    }

    /** The number of times that an interaction ran again, because another visitor was first. */
    long conflicts() {
        return conflicts.sum();
    }

    /** The store's level, which each page shows. */
    public String level() {
        return settings.level().name();
    }

    /** The subjects of books. */
    public List<String> subjects() {
        return Population.SUBJECTS;
    }
}
