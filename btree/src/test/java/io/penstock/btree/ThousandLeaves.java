package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.record.RecordChange;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.Latency;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import java.util.ArrayList;
import java.util.List;

/** A tree that is long enough for readahead, in a simulated cloud where nothing but a GET takes time. */
final class ThousandLeaves {
    static final int RECORDS = 8_500;
    static final int PAYLOAD = 900;
    static final int PAGE = 8 << 10;

    private ThousandLeaves() {}

    static Profile profile(Latency get) {
        return Profile.INSTANT.with(get, CloudCall.GET, CloudCall.RANGE, CloudCall.MISS);
    }

    static void load(Simulation simulation, SimulatedCloud cloud) {
        SimulatedClient machine = simulation.client("loader");
        Client client = new Client(cloud.objects(machine), TreeSettings.DEFAULT.withPageBytes(PAGE), machine);
        List<RecordChange> changes = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            changes.add(new RecordChange.Put(
                    Client.key(i), Bytes.wrap(new byte[PAYLOAD]), Client.stamp(1_700_000_000_000L, 1)));
        }
        client.apply(changes);
        assertThat(client.assertSound("load").levels().getFirst().pages()).isGreaterThanOrEqualTo(1000);
    }
}
