package io.penstock.cli.doctor;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.report.StoreStats;
import java.util.ArrayList;
import java.util.List;

/** The examination of a store and its place, check by check. Changes nothing in the store. For one run. */
public final class Doctor {
    private static final String STORE = "store";

    private final Place place;
    private final Settings settings;
    private final List<Finding> found = new ArrayList<>();

    /** @param settings of the store at the place */
    public Doctor(Place place, Settings settings) {
        this.place = place;
        this.settings = settings;
    }

    /**
     * Makes all checks.
     *
     * @param probes whether objects, and queues, are made and removed for checks that need them
     */
    public List<Finding> run(boolean probes) {
        found.addAll(new ServerChecks(place).run());
        if (!found.getFirst().isFailed()) {
            if (probes) {
                probe();
            } else {
                found.add(Finding.unchecked(
                        "probes",
                        "rights to write and conditional puts; add --probe, which writes and removes objects"));
            }
            store();
        }
        return found;
    }

    private void probe() {
        List<Finding> written = new WriteProbes(place).run();
        found.addAll(written);
        if (written.stream().anyMatch(one -> one.isFailed() || one.isUnchecked())) {
            found.add(Finding.unchecked("rights", "first mend what failed, or was not checked, before"));
        } else {
            found.addAll(new RightsProbes(place).run());
        }
    }

    private void store() {
        try (Penstock store = Penstock.open(settings.readOnly(true))) {
            store.ping();
            found.add(Finding.ok(STORE, "is there, with " + store.collections().size() + " collections"));
            StoreStats stats = store.admin().inspect().outline();
            List<String> clients = store.admin().inspect().clients();
            found.add(Judgement.formats(stats.unreadable()));
            found.add(Judgement.clients(clients));
            found.add(Judgement.backlog(store.admin().backlog(), Judgement.alive(clients)));
            found.addAll(Judgement.logs(stats.logs()));
            found.add(Judgement.kept(store.admin().quarantine().list().size()));
            found.add(Finding.unchecked("pages and indexes", "run verify, which reads them all"));
        } catch (RefusedException refused) {
            found.add(refused.isGone() ? Finding.absent(STORE, refused) : Finding.failed(STORE, refused));
        } catch (StoreException failure) {
            found.add(Finding.failed(STORE, failure));
        }
    }
}
