package io.penstock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.cli.doctor.Finding.Outcome;
import io.penstock.cli.doctor.LyingObjects.Lie;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor on servers that break a promise, and on those that keep all. */
class DoctorTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final SimulatedClient machine = simulation.client("machine");

    private Place place(Lie lie, boolean queued) {
        return new Place(
                machine,
                LyingObjects.telling(lie, cloud.objects(machine)),
                queued ? Optional.of(cloud.queues(machine)) : Optional.empty(),
                "penstock",
                List.of());
    }

    private static List<Finding> examine(Place place, boolean probes) {
        return new Doctor(place, place.settings()).run(probes);
    }

    private void makeStore(boolean queued) {
        Settings settings = place(Lie.NONE, queued).settings();
        try (Penstock store = Penstock.open(settings)) {
            store.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
        }
    }

    private List<Listing.Entry> all() {
        return ObjectStores.listAll(cloud.objects(machine), "");
    }

    private static List<String> checks(List<Finding> found, Outcome outcome) {
        return found.stream()
                .filter(each -> each.outcome() == outcome)
                .map(Finding::check)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSoundPlaceHasNothingWrongAndStaysAsItIs(boolean queued) {
        simulation.run(() -> {
            makeStore(queued);
            List<Listing.Entry> before = all();
            List<Finding> found = examine(place(Lie.NONE, queued), true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).isEmpty();
            assertThat(checks(found, Outcome.WARNING)).as("%s", found).isEmpty();
            assertThat(checks(found, Outcome.OK))
                    .contains(
                            "object store",
                            "clock",
                            "put if absent",
                            "put if unchanged",
                            "conditional puts at once",
                            "reads after writes",
                            "listing",
                            "ranges",
                            "etags",
                            "delete",
                            "rights on objects",
                            "store",
                            "backlog");
            assertThat(checks(found, Outcome.OK).contains("rights on queues")).isEqualTo(queued);
            assertThat(all()).isEqualTo(before);
            assertThat(cloud.queues(machine).list("")).noneMatch(name -> name.contains("doctor"));
            return true;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "WRITES_OVER_WHAT_IS_THERE, put if absent",
        "WRITES_OVER_ANY_VERSION, put if unchanged",
        "WRITES_OVER_WHAT_IS_GONE, put if unchanged",
        "REFUSES_THE_RIGHT_VERSION, put if unchanged",
        "LOOKS_FIRST_AND_WRITES_THEN, conditional puts at once",
        "READS_ARE_STALE, reads after writes",
        "SENDS_THE_WHOLE_FOR_A_RANGE, ranges",
        "LISTINGS_ARE_STALE, listing",
        "LISTINGS_END_EARLY, listing",
        "LISTS_OTHER_ETAGS, etags",
        "DELETES_NOTHING, delete",
        "DENIES_PAGES, rights on objects",
        "DENIES_PUTS, put"
    })
    void aLieIsFoundAndNothingIsLeft(Lie lie, String check) {
        simulation.run(() -> {
            makeStore(false);
            List<Listing.Entry> before = all();
            List<Finding> found = examine(place(lie, false), true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).contains(check);
            if (lie == Lie.DELETES_NOTHING) {
                assertThat(checks(found, Outcome.WARNING)).contains("probes");
            } else {
                assertThat(all()).isEqualTo(before);
            }
            if (lie == Lie.DENIES_PAGES) {
                assertThat(found)
                        .anyMatch(each -> each.text().contains("lacks s3:PutObject on pages/* (checkpointer); attach"));
            }
            return true;
        });
    }

    @Test
    void readsThatLagAsThoseOfS3DidAreFound() {
        simulation.run(() -> {
            cloud.setWorld(new World(0, 0, 0, Duration.ofMinutes(1), 0, 0, Duration.ZERO));
            assertThat(checks(examine(place(Lie.NONE, false), true), Outcome.FAILED))
                    .contains("reads after writes");
            return true;
        });
    }

    @Test
    void withoutProbesNothingIsWrittenAndNothingIsCalledWell() {
        simulation.run(() -> {
            makeStore(true);
            List<Listing.Entry> before = all();
            cloud.watch((step, client, call, on, outcome) ->
                    assertThat(call).doesNotContain("put", "delete", "create", "send", "receive"));
            List<Finding> found = examine(place(Lie.WRITES_OVER_WHAT_IS_THERE, true), false);
            assertThat(checks(found, Outcome.FAILED)).isEmpty();
            assertThat(checks(found, Outcome.UNCHECKED)).contains("probes", "pages and indexes");
            assertThat(all()).isEqualTo(before);
            return true;
        });
    }

    @Test
    void clocksAndServersThatAreAwayAreTold() {
        simulation.run(() -> {
            makeStore(false);
            machine.skewClock(Duration.ofMinutes(-20));
            assertThat(checks(examine(place(Lie.NONE, false), false), Outcome.FAILED))
                    .contains("clock");
            machine.skewClock(Duration.ZERO);
            cloud.setWorld(new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO));
            List<Finding> found = examine(place(Lie.NONE, false), true);
            assertThat(found).hasSize(1);
            assertThat(checks(found, Outcome.FAILED)).containsExactly("object store");
            return true;
        });
    }

    @Test
    void aPlaceWithoutAStoreIsExaminedAndStaysEmpty() {
        simulation.run(() -> {
            List<Finding> found = examine(place(Lie.NONE, true), true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).isEmpty();
            assertThat(checks(found, Outcome.ABSENT)).containsExactly("store");
            assertThat(all()).isEmpty();
            return true;
        });
    }
}
