package io.penstock.bench.experiment.candidates;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Many clients whose threads commit one transaction after the other, in virtual time.
 *
 * @param threads of each client
 * @param seconds of virtual time that are measured, after a fifth of it to warm up
 */
record Trial(Candidate candidate, Setup setup, int clients, int threads, KeyDraw keys, int seconds) {
    private static final long SEED = 1;
    private static final String INTAKE = "intake";
    private static final String PAGE = "page";
    private static final int PAGE_BYTES = 64 << 10;

    /** The share of reads whose page is not pooled. */
    private static final double COLD = 0.1;

    private static final int DOUBLINGS_MAX = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    Row run() {
        Simulation simulation = new Simulation(SEED);
        return simulation.run(() -> new Run(simulation).measure());
    }

    private final class Run {
        private final Simulation simulation;
        private final SimulatedCloud logs;
        private final SimulatedCloud pages;
        private final Requests requests =
                new Requests(setup.log().prices(), setup.pages().prices());
        private final List<Double> millis = new ArrayList<>();
        private final long[] commits = new long[clients];
        private long conflicts;
        private long drawn;

        Run(Simulation simulation) {
            this.simulation = simulation;
            this.logs = new SimulatedCloud(simulation, setup.log(), World.CALM);
            this.pages = new SimulatedCloud(simulation, setup.pages(), World.CALM);
        }

        Row measure() {
            SimulatedClient main = simulation.client("main");
            pages.queues(main).create(INTAKE, QueueAttributes.STANDARD);
            pages.objects(main).put(PAGE, Bytes.wrap(new byte[PAGE_BYTES]), WriteCondition.ALWAYS);
            for (int client = 0; client < clients; client++) {
                begin(client);
            }
            main.sleep(Duration.ofSeconds(seconds).dividedBy(5));
            millis.clear();
            Arrays.fill(commits, 0);
            conflicts = 0;
            requests.reset();
            main.sleep(Duration.ofSeconds(seconds));
            return row();
        }

        private void begin(int client) {
            SimulatedClient machine = simulation.client("c" + client);
            CommitLog log = new CommitLog(logs.objects(machine), machine, requests);
            Committer committer = candidate.committer(new Candidate.Parts(
                    machine,
                    log,
                    client,
                    pages.queues(machine).find(INTAKE).orElseThrow(),
                    requests,
                    setup.log().put().medianMillis()));
            committer.start();
            ObjectStore store = pages.objects(machine);
            for (int thread = 0; thread < threads; thread++) {
                int number = client * threads + thread;
                machine.start("thread", () -> {
                    while (true) {
                        transact(client, number, committer, store);
                    }
                });
            }
        }

        private void transact(int client, int thread, Committer committer, ObjectStore store) {
            SimulatedClient machine = committer.machine;
            long began = machine.nanoTime();
            int key = keys.next(thread, machine.random());
            for (int tries = 0; ; tries++) {
                int snapshot = committer.tail.tip();
                if (machine.random().nextDouble() < COLD) {
                    store.get(PAGE);
                }
                if (committer.commit(new Intent(++drawn, key, snapshot))) {
                    break;
                }
                conflicts++;
                double most = setup.log().put().medianMillis() * (1 << Math.min(tries, DOUBLINGS_MAX));
                committer.pause(machine.random().nextDouble() * most);
            }
            commits[client]++;
            millis.add((machine.nanoTime() - began) / NANOS_PER_MILLI);
        }

        private Row row() {
            double[] sorted =
                    millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            long all = Arrays.stream(commits).sum();
            return new Row(
                    candidate.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    setup.name(),
                    clients,
                    threads,
                    keys.name().toLowerCase(Locale.ROOT),
                    (double) all / seconds,
                    at(sorted, 0.5),
                    at(sorted, 0.99),
                    (double) conflicts / Math.max(1, all),
                    (double) requests.puts() / Math.max(1, all),
                    requests.dollars() * 1_000 / Math.max(1, all),
                    Arrays.stream(commits).min().orElse(0) * (double) clients / Math.max(1, all));
        }

        private double at(double[] sorted, double share) {
            return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
        }
    }
}
