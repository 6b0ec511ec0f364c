package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error in the middle of opening a local store used to leave its directory locked until the process ended. */
class OpenErrorTest {
    @TempDir
    Path directory;

    @Test
    void directoryIsFreeAfterAnError() {
        Settings settings = Settings.local(directory);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().onMeterAdded(OpenErrorTest::fail);
        assertThatThrownBy(() -> Penstock.open(settings.meters(registry))).isInstanceOf(LinkageError.class);
        try (Penstock store = Penstock.open(settings)) {
            assertThat(store.collections()).isEmpty();
        }
    }

    private static void fail(Meter meter) {
        throw new NoClassDefFoundError(meter.getId().getName());
    }
}
