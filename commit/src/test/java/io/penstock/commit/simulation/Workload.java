package io.penstock.commit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** What transactions do: which keys they read, and which they write. */
enum Workload {
    /** Reads and writes of few keys by everybody: to see what is stale and what is lost. */
    REGISTER {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            return new Steps(pick("r", 2, keys, random), pick("r", 1 + random.nextInt(3), keys, random), List.of());
        }
    },
    /** Pairs of accounts that one client owns and changes together: only atomicity keeps their sum. */
    BANK {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            String pair = "b" + client + "-" + random.nextInt(Math.max(1, keys / 4));
            List<String> both = List.of(pair + "-left", pair + "-right");
            return new Steps(both, both, List.of());
        }
    },
    /** New keys only, so that trees grow and split. */
    INSERT {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            List<String> fresh = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                fresh.add("i" + random.nextInt(1_000_000) + "-" + client + "-" + round + "-" + i);
            }
            return new Steps(List.of(), fresh, List.of());
        }
    },
    /** One key that everybody changes. */
    HOT_KEY {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            return new Steps(List.of("hot"), List.of("hot"), List.of());
        }
    },
    /** Puts and deletes of the same keys. */
    DELETE {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            return new Steps(pick("d", 1, keys, random), pick("d", 2, keys, random), pick("d", 2, keys, random));
        }
    },
    /** Transactions of many records. */
    LARGE {
        @Override
        Steps next(int client, int round, int keys, RandomGenerator random) {
            List<String> many = new ArrayList<>();
            for (int i = 0; i < 30 + random.nextInt(120); i++) {
                many.add("l" + random.nextInt(400));
            }
            return new Steps(List.of(), many, List.of());
        }
    };

    /** Keys to read, then to write, then to delete. */
    record Steps(List<String> reads, List<String> writes, List<String> deletes) {}

    abstract Steps next(int client, int round, int keys, RandomGenerator random);

    private static List<String> pick(String prefix, int count, int keys, RandomGenerator random) {
        List<String> picked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            picked.add(prefix + random.nextInt(keys));
        }
        return picked;
    }
}
