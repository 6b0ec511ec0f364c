package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.checkpoint.LedgerProbe;
import io.penstock.commit.client.Identity;
import io.penstock.core.ClientId;
import io.penstock.core.object.StoredObject;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every ledger that is written: may a number of that client have been passed over? Only of one who is dead,
 * and not of one who has given signs of life all the time.
 */
final class LedgerWatch implements CallWatcher {
    private static final String PAGES = "penstock/pages/";
    private static final String CLIENTS = "penstock/clients/";

    private final SimulatedCloud cloud;
    private final Duration silence;
    private final boolean watching;

    /** The time of each client's last sign of life, by its id, in virtual nanoseconds. */
    private final Map<String, Long> beats = new HashMap<>();

    /** Clients that were retired, or were silent so long that others may have taken them for dead. */
    private final Set<String> silent = new HashSet<>();

    /** Who registered each client, by its id. */
    private final Map<String, SimulatedClient> owners = new HashMap<>();

    /** Numbers of senders that their own client has passed over: its next heartbeats must say that these had ended. */
    private final List<OwnHole> own = new ArrayList<>();

    private final Set<String> known = new HashSet<>();
    private final List<String> violations = new ArrayList<>();

    private static final class OwnHole {
        final ClientId sender;
        final String violation;

        /** One may have been on its way when the sender ended. */
        int beatsLeft = 2;

        OwnHole(ClientId sender, String violation) {
            this.sender = sender;
            this.violation = violation;
        }
    }

    LedgerWatch(SimulatedCloud cloud, Scenario scenario) {
        this.cloud = cloud;
        // After slow answers others may believe that more time has passed than has.
        this.silence = scenario.shape().deadAfter().dividedBy(2);
        this.watching = numbersRecords(scenario.level())
                && !scenario.clocksStep()
                // Where time is long, order is given up after an hour for messages that no poll has shown.
                && !scenario.perils().leisurely()
                && scenario.perils().losses() == 0
                // A new ledger knows nothing of what came before, and a twin beats for the other.
                && !Damage.isIn(scenario)
                && !ClientDamage.isIn(scenario)
                && !ClonedClients.areIn(scenario);
    }

    /** Whether log records of this level are numbered, so that a ledger says something of them. */
    private static boolean numbersRecords(ConsistencyLevel level) {
        return switch (level) {
            case NAIVE, BASIC, SNAPSHOT, SERIALIZABLE -> false;
            case MONOTONIC, ATOMIC -> true;
        };
    }

    List<String> violations() {
        return violations;
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (!watching || step != Step.DONE) {
            return;
        }
        if (on.startsWith(CLIENTS)) {
            if (call.equals("put") || call.equals("delete")) {
                String id = on.substring(CLIENTS.length());
                owners.putIfAbsent(id, client);
                note(id, client.nanoTime());
            }
        } else if (call.equals("put") && on.startsWith(PAGES)) {
            cloud.newest(on).ifPresent(page -> look(page, on, client));
        }
    }

    /** Whether the client itself says that it sends nothing more under this id. */
    private boolean hasEnded(String base, ClientId id) {
        return cloud.newest(CLIENTS + base)
                .filter(beat -> Identity.isEnded(beat.body(), id))
                .isPresent();
    }

    private void note(String id, long nowNanos) {
        boolean lives = cloud.newest(CLIENTS + id)
                .filter(state -> state.body().toUtf8().contains("alive"))
                .isPresent();
        Long before = beats.put(id, nowNanos);
        if (!lives || before != null && nowNanos - before > silence.toNanos()) {
            silent.add(id);
        }
        own.removeIf(hole -> Identity.base(hole.sender).hex().equals(id) && isSettled(hole, lives));
    }

    private boolean isSettled(OwnHole hole, boolean lives) {
        boolean ended = !lives || hasEnded(Identity.base(hole.sender).hex(), hole.sender);
        hole.beatsLeft--;
        if (!ended && hole.beatsLeft == 0) {
            violations.add(hole.violation);
        }
        return ended || hole.beatsLeft == 0;
    }

    private void look(StoredObject page, String key, SimulatedClient writer) {
        long nowNanos = writer.nanoTime();
        LedgerProbe.holes(page.body(), key).forEach((client, holes) -> {
            String base = Identity.base(client).hex();
            Long beat = beats.get(base);
            boolean lives = beat != null
                    && nowNanos - beat < silence.toNanos()
                    && !silent.contains(base)
                    && !hasEnded(base, client);
            for (String hole : holes) {
                if (known.add(key + client + hole) && lives) {
                    String violation = "the ledger " + key + " passes over " + hole + " of client " + client
                            + ", which gave a sign of life "
                            + Duration.ofNanos(nowNanos - beat).toMillis() + " ms ago";
                    if (writer.equals(owners.get(base))) {
                        own.add(new OwnHole(client, violation)); // it knows before others do that the sender ended
                    } else {
                        violations.add(violation);
                    }
                }
            }
        });
    }
}
