package io.penstock.jobrunr;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same cases in a directory, in a store whose level has no isolation: jobs have it all the same. */
class StorageOnDirectoryTest extends StorageContractTest {
    @TempDir
    private Path directory;

    @Override
    Settings place() {
        return Settings.local(directory).level(ConsistencyLevel.ATOMIC);
    }
}
