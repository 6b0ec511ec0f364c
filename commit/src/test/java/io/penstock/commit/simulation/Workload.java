package io.penstock.commit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A kind of transactions: the keys that they read, and those that they write. Keys are {@code collection/key}. */
public enum Workload {
    /** Reads and writes of few keys by all users, to show stale reads and lost writes. */
    REGISTER {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            int keys = Math.min(turn.keys, 6);
            return new Steps(
                    pick("records/r", 2, keys, random), pick("records/r", random.nextInt(3), keys, random), List.of());
        }
    },
    /**
     * Pairs of accounts that one user owns and changes together, so that nothing but atomicity keeps their sum; now and
     * then of accounts that all share, where money is lost for want of isolation: that is only counted.
     */
    BANK {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            if (random.nextInt(4) == 0) {
                List<String> shared = pick("records/shared", 2, 4, random);
                return new Steps(shared, shared, List.of());
            }
            String pair = "records/b" + turn.user + "-" + random.nextInt(Math.max(1, turn.keys / 8));
            List<String> both = List.of(pair + LEFT, pair + RIGHT);
            return new Steps(both, both, List.of());
        }
    },
    /** New keys only. */
    INSERT {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            List<String> fresh = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                fresh.add("records/i" + random.nextInt(1_000_000) + "-" + turn.user + "-" + turn.round + "-" + i);
            }
            return new Steps(List.of(), fresh, List.of());
        }
    },
    /** Few records with an index, changed by all users, so that entries move and come back. */
    INDEX {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            int keys = Math.min(turn.keys, 4);
            List<String> one = pick("records/x", 1, keys, random);
            boolean delete = random.nextInt(6) == 0;
            return new Steps(one, delete ? List.of() : one, delete ? one : List.of());
        }
    },
    /** A bookshop's orders: an order, its lines and its credit card row, each in a collection of its own. */
    ORDERS {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            String id = turn.user + "-" + turn.round;
            String before = "orders/" + turn.user + "-" + Math.max(0, turn.round - 1);
            List<String> rows = new ArrayList<>(List.of("orders/" + id, "cards/" + id));
            for (int line = 0; line < 1 + random.nextInt(3); line++) {
                rows.add("lines/" + id + "-" + line);
            }
            return new Steps(List.of(before), rows, List.of());
        }
    },
    /** One key that all users change. */
    HOT_KEY {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            return new Steps(List.of("records/hot"), List.of("records/hot"), List.of());
        }
    },
    /** Puts and deletes of the same keys. */
    DELETE {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            int keys = Math.min(turn.keys, 6);
            return new Steps(
                    pick("records/d", 1, keys, random),
                    pick("records/d", 1, keys, random),
                    pick("records/d", 1, keys, random));
        }
    },
    /** Transactions of many records, which take many messages where messages are small. */
    LARGE {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            List<String> many = new ArrayList<>();
            for (int i = 0; i < 10 + random.nextInt(40); i++) {
                many.add("records/l" + random.nextInt(60));
            }
            return new Steps(pick("records/l", 1, 60, random), many, List.of());
        }
    },
    /** Inserts side by side and deletes of some, so that small pages split while others write and read them. */
    SPLIT {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            List<String> fresh = new ArrayList<>();
            for (int i = 0; i < 2 + random.nextInt(5); i++) {
                fresh.add("records/s" + (100 + random.nextInt(200)));
            }
            return new Steps(
                    pick("records/s1", 1, 100, random), fresh, pick("records/s2", random.nextInt(2), 100, random));
        }
    },
    /** Lists that grow by one element at a time, as Elle likes them: {@code value = value seen + element}. */
    APPEND {
        @Override
        Steps next(Turn turn, RandomGenerator random) {
            List<String> keys = pick("records/a", 2, 3, random);
            return new Steps(keys, random.nextInt(3) == 0 ? List.of() : keys.subList(0, 1), List.of());
        }
    };

    public static final String LEFT = "-left";
    public static final String RIGHT = "-right";

    /** A turn of a user: its number, the rounds it has done so far, and the number of keys it chooses from. */
    record Turn(int user, int round, int keys) {}

    /** Keys to read, then to write, then to delete. */
    record Steps(List<String> reads, List<String> writes, List<String> deletes) {}

    abstract Steps next(Turn turn, RandomGenerator random);

    List<String> collections() {
        return this == ORDERS ? List.of("orders", "lines", "cards") : List.of("records");
    }

    /** Whether the records of a run fit into one page of usual size. */
    boolean hasFewKeys() {
        return this == REGISTER || this == HOT_KEY || this == DELETE || this == INDEX;
    }

    private static List<String> pick(String prefix, int count, int keys, RandomGenerator random) {
        List<String> picked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            picked.add(prefix + random.nextInt(keys));
        }
        return picked;
    }
}
