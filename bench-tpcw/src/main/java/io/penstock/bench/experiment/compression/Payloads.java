package io.penstock.bench.experiment.compression;

import io.penstock.Json;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.core.Bytes;
import java.util.Locale;
import java.util.SplittableRandom;

/** Kinds of payloads, each payload a pure function of its number. */
enum Payloads {
    /** Orders of the bookstore as JSON, about 210 bytes: names that come again, and numbers. */
    ORDERS {
        @Override
        Bytes payload(long number) {
            return ORDER.encode(STORE.order(number));
        }
    },

    /** Its items as JSON, about 680 bytes: half of it is letters drawn at random, which no language has. */
    ITEMS {
        @Override
        Bytes payload(long number) {
            return ITEM.encode(STORE.item(number));
        }
    },

    /** 1,000 random bytes, as of what is compressed or encrypted already. */
    RANDOM {
        @Override
        Bytes payload(long number) {
            byte[] bytes = new byte[RANDOM_BYTES];
            new SplittableRandom(number).nextBytes(bytes);
            return Bytes.wrap(bytes);
        }
    };

    private static final Population STORE = new Population(1, new Scale(1_000, 1_000_000));
    private static final Json<Order> ORDER = Json.of(Order.class);
    private static final Json<Item> ITEM = Json.of(Item.class);
    private static final int RANDOM_BYTES = 1_000;

    /** @param number from 1 on */
    abstract Bytes payload(long number);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
