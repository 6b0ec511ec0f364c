package io.penstock.cli.access;

import static io.penstock.cli.access.PolicyGuard.STORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.Provisioning;
import io.penstock.cli.doctor.Doctor;
import io.penstock.cli.doctor.Finding;
import io.penstock.cli.doctor.Finding.Outcome;
import io.penstock.cli.doctor.Place;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The doctor under policies: it needs no right beyond the printed ones, and names those that lack. */
class DoctorRightsTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final SimulatedClient machine = simulation.client("machine");

    private static PolicyGuard police(AccessRole... roles) {
        return new PolicyGuard(Stream.of(roles)
                .map(role -> AccessPolicy.of(role, STORE, Provisioning.CREATE, false))
                .toArray(AccessPolicy[]::new));
    }

    private List<Finding> failed(PolicyGuard police, boolean probes) {
        return simulation.run(() -> {
            Place place = new Place(
                    machine,
                    new PolicedObjects(cloud.objects(machine), police),
                    Optional.of(new PolicedQueues(cloud.queues(machine), police)),
                    STORE.prefix(),
                    List.of());
            Penstock.open(new Place(
                                    machine,
                                    cloud.objects(machine),
                                    Optional.of(cloud.queues(machine)),
                                    "penstock",
                                    List.of())
                            .settings())
                    .close();
            return new Doctor(place, place.settings())
                    .run(probes).stream()
                            .filter(found -> found.outcome() == Outcome.FAILED)
                            .toList();
        });
    }

    @Test
    void whoMayReadExaminesWithoutProbes() {
        assertThat(failed(police(AccessRole.READER), false)).isEmpty();
    }

    @Test
    void aClientThatCheckpointsLacksNothing() {
        assertThat(failed(police(AccessRole.WRITER, AccessRole.CHECKPOINTER), true))
                .isEmpty();
    }

    @Test
    void whatAClientAloneLacksIsNamed() {
        List<Finding> failed = failed(police(AccessRole.WRITER), true);
        assertThat(failed).extracting(Finding::check).containsExactly("rights on objects", "rights on queues");
        assertThat(failed.getFirst().text())
                .contains("s3:PutObject on pages/* (checkpointer)", "s3:DeleteObject on pages/* (checkpointer)")
                .doesNotContain("log/*");
        assertThat(failed.getLast().text())
                .contains("sqs:ReceiveMessage on penstock-pu-*", "sqs:DeleteQueue on penstock-lk-* (the queue penstock")
                .doesNotContain("penstock-at-");
    }
}
