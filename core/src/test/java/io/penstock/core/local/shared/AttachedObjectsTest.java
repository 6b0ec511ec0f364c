package io.penstock.core.local.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.UnavailableException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ShiftedTasks;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an attached process asks for is done as by its owner. */
class AttachedObjectsTest extends ObjectStoreContract {
    @TempDir
    Path directory;

    private final Tasks tasks = new ShiftedTasks();
    private LocalCloud owner;
    private LocalCloud attached;

    @BeforeEach
    void open() {
        owner = LocalCloud.open(directory, tasks, Durability.OS_CACHE);
        attached = LocalCloud.attach(directory, tasks);
    }

    @AfterEach
    void close() {
        attached.close();
        owner.close();
    }

    @Override
    protected ObjectStore store() {
        return attached.objects();
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    private static void connect(ObjectStore objects) {
        for (int i = 0; i < 100; i++) {
            try {
                assertThat(objects.get("lost")).isEmpty();
                return;
            } catch (UnavailableException broken) {
                // The next call connects anew.
            }
        }
    }

    /** The next owner counts anew: what was begun at the last one is none of its uploads. */
    @Test
    void anUploadEndsWithItsOwner() {
        ObjectStore objects = attached.objects();
        ObjectUpload lost = objects.upload("lost", 4);
        lost.part(1, Bytes.utf8("lost"));
        owner.close();
        owner = LocalCloud.open(directory, tasks, Durability.OS_CACHE);
        connect(objects);
        ObjectUpload next = objects.upload("next", 4);
        next.part(1, Bytes.utf8("next"));
        assertThatThrownBy(() -> lost.part(1, Bytes.utf8("lost"))).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> lost.complete(1)).isInstanceOf(UnavailableException.class);
        next.complete(1);
        assertThat(objects.get("next").orElseThrow().body()).isEqualTo(Bytes.utf8("next"));
        assertThat(objects.get("lost")).isEmpty();
    }
}
