package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Progress;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Client processes that share a store through its servers alone: nothing in memory, no clock, no lock in common. The
 * scenario's clients are spread over them evenly.
 */
record ProcessCrew(AwsServers servers, String prefix, int processes, Tasks tasks) implements Crew {
    @Override
    public Shift work(Scenario scenario, ConsistencyLevel level, Progress progress) {
        List<ClientProcess> started = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                started.add(new ClientProcess(assignment(scenario, level, i)));
            }
            // All processes start before the first shops, and all have shopped before the first closes: as in one
            // process.
            started.forEach(ClientProcess::awaitReady);
            List<Shift> shifts = new ArrayList<>(onEach(started, client -> client.shop(progress)));
            shifts.addAll(onEach(started, ClientProcess::closeStores));
            return Shift.together(shifts);
        } finally {
            started.forEach(ClientProcess::close);
        }
    }

    private Assignment assignment(Scenario scenario, ConsistencyLevel level, int process) {
        int clients = scenario.load().clients() / processes;
        Shoppers.Range range = new Shoppers.Range(process * clients, clients);
        return new Assignment(servers, prefix, scenario, level, range);
    }

    private <T> List<T> onEach(List<ClientProcess> clients, Function<ClientProcess, T> body) {
        return Parallel.map(tasks, clients.size(), clients, body);
    }
}
