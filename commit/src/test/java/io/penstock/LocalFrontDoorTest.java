package io.penstock;

import io.penstock.core.Durability;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class LocalFrontDoorTest extends FrontDoorContract {
    @TempDir
    Path directory;

    @Override
    void run(Body body) {
        try {
            body.run();
        } catch (Exception e) {
            throw e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
        }
    }

    @Override
    Settings settings() {
        return Settings.local(directory.resolve("store"), Durability.OS_CACHE)
                .pageBytes(1024)
                .ttl(Duration.ofMillis(20));
    }

    /** Real time: no longer than the short time to live of these settings needs. */
    @Override
    void pause(Duration duration) {
        try {
            Thread.sleep(Math.min(100, duration.toMillis()));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
