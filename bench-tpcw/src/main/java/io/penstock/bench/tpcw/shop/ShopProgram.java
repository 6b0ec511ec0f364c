package io.penstock.bench.tpcw.shop;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.bench.tpcw.interaction.Storefront;
import io.penstock.core.task.Tasks;
import io.penstock.testkit.PriceList;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The shop from the opened store to the running server. Closing it closes both. */
public final class ShopProgram implements AutoCloseable {
    private final Penstock store;
    private final ShopWebServer web;

    /**
     * Opens the shop; an empty store is filled first.
     *
     * @param settings of the store; its level is that of the shop
     * @param key shared by the servers of one shop, 16 bytes or more; empty if this is the only one
     * @param port 0 for any that is free
     * @param prices for the page that is alive
     */
    public ShopProgram(
            Settings settings,
            Tasks tasks,
            Population population,
            int port,
            PriceList prices,
            Optional<byte[]> key,
            LongConsumer progress) {
        MeterRegistry meters = new SimpleMeterRegistry();
        fill(settings, population, progress);
        // A visitor whose passport is too old for the store begins anew, as at the only server of a shop.
        Settings travelling = key.map(
                        shared -> settings.tokens(Session.Tokens.signed(shared).orAnew()))
                .orElse(settings);
        store = Penstock.open(travelling.meters(meters));
        ShopServer server = new ShopServer(store, tasks);
        Routes routes = new Routes(server, population.scale(), tasks.random());
        LivePage live = new LivePage(store, meters, prices, routes);
        WebSessions sessions = new WebSessions(server, tasks, key.map(shared -> new Passports(shared, tasks)));
        String level = settings.level().name();
        web = new ShopWebServer(port, routes, sessions, level, live::json);
    }

    private static void fill(Settings settings, Population population, LongConsumer progress) {
        try (Penstock store = Penstock.open(settings.level(Loader.levelFor(settings.level())))) {
            Storefront shop = Storefront.open(store);
            Loader loader = new Loader(store, shop.tables(), progress);
            if (loader.isEmpty()) {
                loader.loadInBulk(population);
            }
        }
    }

    public int port() {
        return web.port();
    }

    @Override
    public void close() {
        web.close();
        store.close();
    }
}
