package io.penstock.jobrunr;

import io.penstock.Penstock;
import io.penstock.Settings;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderTest;
import org.junit.jupiter.api.AfterEach;
import org.mockito.internal.util.reflection.Whitebox;

/** The cases that JobRunr itself asks of each store of jobs, on one in memory. */
class StorageContractTest extends StorageProviderTest {
    private Penstock store;
    private StorageProvider provider;

    /** The settings of an empty store. */
    Settings place() {
        return Settings.inMemory();
    }

    @Override
    protected void cleanup(int testMethodIndex) {
        store = Penstock.open(place());
        provider = new PenstockStorageProvider(store);
    }

    @Override
    protected StorageProvider getStorageProvider() {
        return provider;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ThrowingStorageProvider makeThrowingStorageProvider(StorageProvider working) {
        return new ThrowingStorageProvider(working, "store") {
            @Override
            protected void makeStorageProviderThrowException(StorageProvider broken) {
                Penstock closed = Penstock.open(Settings.inMemory());
                closed.close();
                Whitebox.setInternalState(broken, "store", closed);
            }
        };
    }
}
