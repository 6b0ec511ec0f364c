package io.penstock.commit.engine;

import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.seal.KeyRing;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.seal.Seals;
import io.penstock.core.task.Tasks;
import java.util.Optional;

/**
 * The encryption of an open store and of its backups, or none. Safe for use by many threads.
 *
 * @param seals of the store; empty where it has none, or is not there
 */
public record Encryption(Tasks tasks, Optional<MasterKeys> masters, Optional<Seals> seals) {
    /**
     * Opens the ring of the store's keys, or makes it with the store.
     *
     * @throws InvalidRequestException when the keys do not open the store, or it is not encrypted
     */
    public static Encryption of(StoreSettings settings, Services services) {
        Optional<KeyRing> ring = settings.encryption()
                .flatMap(masters -> KeyRing.open(
                        services.tasks(),
                        ServerPath.reliable(services.objects(), services.tasks(), settings, "checkpoint"),
                        settings.prefix() + "/",
                        masters,
                        settings.client().mayDefine()));
        return new Encryption(
                services.tasks(), settings.encryption(), ring.map(found -> new Seals(services.tasks(), found)));
    }

    /** Returns the servers of the store, with what it writes there sealed. */
    public Services services(Services bare, String prefix) {
        return seals.map(with -> new Services(
                        with.objects(bare.objects(), prefix + "/"),
                        bare.queues(with::queues),
                        bare.tasks(),
                        bare.sharing()))
                .orElse(bare);
    }

    /**
     * Returns the place of the store's backups, where what an encrypted store writes is encrypted too, under the
     * current master key.
     */
    public ObjectStore backups(ObjectStore objects, String folder, boolean writes) {
        String in = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
        boolean isSealed = KeyRing.isIn(objects, in);
        if (isSealed && masters.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.NO_KEY,
                    "the backup is encrypted; open the store with the setting encryption, and the key of the backup",
                    "folder",
                    folder);
        }
        return masters.filter(keys -> isSealed || writes)
                .flatMap(keys -> KeyRing.open(tasks, objects, in, keys, writes))
                .map(ring -> sealed(ring, objects, in, writes))
                .orElse(objects);
    }

    private ObjectStore sealed(KeyRing ring, ObjectStore objects, String folder, boolean writes) {
        if (writes) {
            ring.renew();
        }
        return new Seals(tasks, ring).objects(objects, folder);
    }

    /** Adds a data key; see {@link KeyRing#rotate}. */
    public int rotate() {
        return seals.orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.INVALID_SETTING, "the store is not encrypted, so it has no keys to rotate"))
                .ring()
                .rotate();
    }
}
