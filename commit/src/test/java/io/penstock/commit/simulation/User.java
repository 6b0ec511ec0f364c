package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One user of a store: transaction after transaction, on one machine after another. */
final class User {
    private static final int THINK_MILLIS_MAX = 1_500;

    /** Where a session mixes levels, the one beside the scenario's; the promises are those of the lower one. */
    private static final ConsistencyLevel HIGHER = ConsistencyLevel.ATOMIC;

    private final int number;
    private final Scenario scenario;
    private final History history;
    private final CallLog story;
    private final BiConsumer<String, String> alarm;
    private final SplittableRandom random;
    private final SplittableRandom levels;
    private final Browsing browsing;
    private final int paddingMax;
    private int round;

    /** @param alarm takes the name of a promise and how it was broken */
    User(int number, Scenario scenario, History history, CallLog story, BiConsumer<String, String> alarm) {
        this.number = number;
        this.scenario = scenario;
        this.history = history;
        this.story = story;
        this.alarm = alarm;
        this.random = new SplittableRandom(scenario.seed() * 1009 + number);
        this.levels = new SplittableRandom(scenario.seed() * 1013 + number);
        this.browsing = new Browsing(scenario, number, history, alarm);
        this.paddingMax = paddingMax(scenario);
    }

    /** In some seeds of small pages, payloads are above a quarter of a page, as often as not. */
    static int paddingMax(Scenario scenario) {
        boolean isThere = new SplittableRandom(scenario.seed() * 15_486_719 + 3).nextInt(6) == 0;
        int pageBytes = scenario.shape().pageBytes();
        return isThere && pageBytes < 1 << 10 ? pageBytes / 2 : 0;
    }

    boolean hasDone(int rounds) {
        return round >= rounds;
    }

    /** Continues after a crash of the machine: transactions under way stay open in the history. */
    void giveUpRound() {
        round++;
    }

    void work(SimulatedClient machine, Session session, Tables tables, String name, int rounds) {
        while (round < rounds) {
            Workload.Steps steps = scenario.workload()
                    .next(new Workload.Turn(number, round, scenario.size().keys()), random);
            transact(machine, session, tables, name, steps);
            round++;
            machine.sleep(Duration.ofMillis(random.nextInt(THINK_MILLIS_MAX)));
        }
    }

    private void transact(SimulatedClient machine, Session session, Tables tables, String name, Workload.Steps steps) {
        ConsistencyLevel level = scenario.mixesLevels() && levels.nextBoolean() ? HIGHER : scenario.level();
        History.Transaction seen = history.begin(name, level, machine.nanoTime());
        int id = history.transactions().size();
        story.say(machine, "begin t" + id + " of " + name);
        try (Transaction transaction = session.begin(level)) {
            run(transaction, tables, id, steps, seen);
            seen.stamp = transaction.commit();
            seen.outcome = History.Outcome.ACKNOWLEDGED;
        } catch (OutcomeUnknownException e) {
            seen.outcome = History.Outcome.UNKNOWN;
        } catch (CorruptDataException e) {
            alarm.accept(SimulatedRun.NOT_DAMAGED, SimulatedRun.stackOf(e));
            seen.outcome = History.Outcome.FAILED;
        } catch (InvalidRequestException e) {
            alarm.accept("no unexpected failure", SimulatedRun.stackOf(e));
            seen.outcome = History.Outcome.FAILED;
        } catch (StoreException e) {
            seen.outcome = History.Outcome.FAILED;
        } finally {
            seen.endNanos = machine.nanoTime();
            story.say(machine, "end t" + id + " " + seen);
        }
    }

    private void run(Transaction transaction, Tables tables, int id, Workload.Steps steps, History.Transaction seen) {
        Map<String, @Nullable String> read = new HashMap<>();
        for (String key : steps.reads()) {
            String value = transaction.get(tables.of(key), Tables.within(key)).orElse(null);
            seen.reads.add(new History.Read(key, value));
            read.put(key, value);
        }
        browsing.look(transaction, tables, seen);
        for (String key : List.copyOf(steps.writes())) {
            String value = value(id, key, read.get(key));
            transaction.put(tables.of(key), Tables.within(key), value);
            seen.writes.put(key, value);
        }
        for (String key : steps.deletes()) {
            transaction.delete(tables.of(key), Tables.within(key));
            seen.writes.put(key, null);
        }
    }

    /** Names the write; for accounts with an amount that makes 100 with the other one's, for lists all elements. */
    private String value(int id, String key, @Nullable String read) {
        String name = "t" + id + "/" + key;
        return switch (scenario.workload()) {
            case BANK -> name + "=" + (key.endsWith(Workload.LEFT) ? id % 100 : 100 - id % 100);
            case APPEND -> read == null ? String.valueOf(id) : read + "," + id;
            default -> paddingMax == 0 ? name : name + "~".repeat(Math.floorMod(name.hashCode(), paddingMax));
        };
    }
}
