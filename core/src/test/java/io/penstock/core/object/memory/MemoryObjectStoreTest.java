package io.penstock.core.object.memory;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ShiftedTasks;

class MemoryObjectStoreTest extends ObjectStoreContract {
    private final Tasks tasks = new ShiftedTasks();
    private final ObjectStore store = new MemoryObjectStore(tasks);

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }
}
