package io.penstock.bookstore;

import io.penstock.Settings;
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
import java.util.function.Consumer;
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

    <S extends Interaction.Shown> S run(Interaction<S> interaction) {
        return run(interaction, shown -> {});
    }

    /** Runs an interaction and, in the same transaction, {@code also}. */
    <S extends Interaction.Shown> S run(Interaction<S> interaction, Consumer<S> also) {
        LongAdder attempts = new LongAdder();
        S shown = store.execute(transaction -> {
            attempts.increment();
            S result = server.run(transaction, interaction);
            also.accept(result);
            return result;
        });
        conflicts.add(attempts.sum() - 1);
        return shown;
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
