package io.penstock.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.tpcw.run.Prices;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.cli.program.UsageException;
import io.penstock.core.object.ObjectStores;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrateTest {
    private static final Prices PRICES = Prices.of("aws-2026");

    @TempDir
    private Path folder;

    /** Small loads, so that the simulation is quick. */
    private static List<Load> loads() {
        return Load.all(100, true).stream()
                .filter(load -> load.underWay() < 64 && load.bytes() <= 64 << 10)
                .toList();
    }

    /** Two humps and a tail, no curve that has a name; slower for more bytes and more calls under way. */
    private static Measured synthetic(List<Load> loads) {
        SplittableRandom random = new SplittableRandom(7);
        Measured measured = new Measured();
        for (Load load : loads) {
            double base = (3 + load.call().ordinal()) * (1 + load.bytes() / 50_000.0) * (1 + load.underWay() / 20.0);
            List<Double> millis = new ArrayList<>();
            for (int i = 0; i < load.count(); i++) {
                double hump = random.nextInt(5) == 0 ? 4 : 1;
                millis.add(base * hump * Math.exp(0.3 * random.nextGaussian()) + (random.nextInt(40) == 0 ? 90 : 0));
            }
            measured.add(load, millis);
        }
        return measured;
    }

    private Path write(String json) throws IOException {
        return Files.writeString(folder.resolve("profile.json"), json);
    }

    @Test
    void theSimulationOfAFileHasTheMediansAndTailsOfTheMeasurement() throws IOException {
        Measured measured = synthetic(loads());
        Path file = write(JsonTarget.text(measured.content("synthetic", "a test", PRICES)));
        Profile profile = Profiles.of(file.toString());
        assertThat(profile.name()).isEqualTo("synthetic");
        assertThat(profile.prices()).isEqualTo(PRICES.requests());
        assertThat(measured.difference(Calibrate.simulate(profile, measured.loads())))
                .isLessThan(0.1);
        // The check can fail.
        assertThat(measured.difference(Calibrate.simulate(Profile.AWS_2026, measured.loads())))
                .isGreaterThan(0.1);
    }

    @Test
    void withoutQueuesTheyAreThoseOfAws() throws IOException {
        List<Load> loads = Load.all(10, false);
        assertThat(loads).noneMatch(load -> load.call() == CloudCall.SEND);
        Profile profile = Profiles.of(write(JsonTarget.text(synthetic(loads).content("objects", "", PRICES)))
                .toString());
        assertThat(profile.latency(CloudCall.SEND)).isEqualTo(Profile.AWS_2026.latency(CloudCall.SEND));
        assertThat(profile.latency(CloudCall.PUT).nanos(1, 1_000, 1))
                .isEqualTo(profile.latency(CloudCall.PUT_ABSENT).nanos(1, 1_000, 1));
    }

    @Test
    void nothingIsLeft() {
        Simulation simulation = new Simulation(1);
        SimulatedClient machine = simulation.client("main");
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            Place place = new Place(cloud.objects(machine), cloud.queues(machine), machine, "calibrate-1");
            Probe probe = place.probe();
            probe.prepare();
            Load.all(1, true).stream().filter(load -> load.underWay() == 1).forEach(probe::measure);
            probe.stop();
            assertThatThrownBy(() -> probe.measure(new Load(CloudCall.GET, 1 << 10, 1, 1)))
                    .hasMessage("interrupted");
            assertThat(ObjectStores.listAll(place.objects(), "")).isNotEmpty();
            place.remove();
            assertThat(ObjectStores.listAll(place.objects(), "")).isEmpty();
            assertThat(cloud.queues(machine).list("")).isEmpty();
            return true;
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--requests 9 | --cloud",
                "--cloud mars | --cloud",
                "--cloud local --requests 0 | --requests",
                "--cloud local --bucket b | --bucket is of the other clouds",
                "--cloud aws | --bucket",
                "--cloud aws --bucket b --endpoint nowhere | --endpoint",
                "--cloud aws --bucket b --prices none.json | none.json",
                "--cloud aws --bucket b --out /no/such/folder/x.json | --out cannot write"
            })
    void wrongInputIsOneLine(String line, String part) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertThat(new Calibrate().run(to, to, line.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(1)
                .first()
                .asString()
                .contains(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[1]", "null", "{\"name\": \"x\", \"millis\": {\"TURN\": {}}}"})
    void whatIsNoProfileIsRefused(String json) throws IOException {
        Path file = write(json);
        assertThatThrownBy(() -> Profiles.of(file.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("cannot be used");
    }

    @Test
    void aTableWithAHoleIsRefusedAndNamed() throws IOException {
        String whole = JsonTarget.text(synthetic(loads()).content("x", "", PRICES));
        for (String[] change :
                new String[][] {{"\"MISS\"", "\"MANAGE\""}, {"\"s3Put\"", "\"s3puts\""}, {"0.01, 0.05", "0.02, 0.05"}
                }) {
            Path file = write(whole.replace(change[0], change[1]));
            assertThat(whole).contains(change[0]);
            assertThatThrownBy(() -> Profiles.of(file.toString()))
                    .as("%s", Stream.of(change).toList())
                    .isInstanceOf(UsageException.class);
        }
    }

    @Test
    void aListOfPricesMayBeThatOfAProfile() throws IOException {
        Path file = write(JsonTarget.text(synthetic(loads()).content("mine", "", PRICES)));
        assertThat(Prices.of(file.toString()).requests()).isEqualTo(PRICES.requests());
        assertThat(Profiles.behind(file.toString()).name()).isEqualTo("mine");
        assertThat(Profiles.behind("gcs-2026")).isEqualTo(Profile.AWS_2026);
        assertThat(Profiles.behind("express-2026")).isEqualTo(Profile.EXPRESS_2026);
    }
}
