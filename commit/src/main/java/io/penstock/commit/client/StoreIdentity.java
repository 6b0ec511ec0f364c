package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.seal.KeyRing;
import io.penstock.core.seal.Seals;
import io.penstock.core.task.Tasks;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of a store, which distinguishes it from another of the same prefix, in another bucket or in the same one
 * before it was emptied: a random number, in an object that the first writer puts and no client changes. The names of
 * the store's queues carry it. Decision 0014. Immutable.
 *
 * @param id 32 hexadecimal digits
 * @param queues whether the store has queues
 */
public record StoreIdentity(String prefix, String id, boolean queues) {
    private static final Logger LOG = LoggerFactory.getLogger(StoreIdentity.class);

    private static final Pattern TEXT =
            Pattern.compile("(\\{\"format\":1,\"store\":\"([0-9a-f]{32})\",\"queues\":(true|false),\"created\":[0-9]+})"
                    + "\ncrc32c ([0-9a-f]{8})\n");

    /** The part that queue names have room for: 40 bits. */
    private static final int SHORT = 10;

    /** The maximum number of tries; each after the first makes up for a lost answer. */
    private static final int TRIES_MAX = 5;

    /**
     * The place where a store's identity is found, or made.
     *
     * @param queues whether the store is opened with a queue service
     */
    public record Place(Tasks tasks, ObjectStore objects, String prefix, boolean queues) {
        /**
         * The identity of the store that is here.
         *
         * @param create whether a new store is made where there is none
         * @throws RefusedException when there is none, and none may be made
         * @throws InvalidRequestException when it has queues and is opened without, or the other way round
         * @throws CorruptDataException when the identity is damaged, or lost
         */
        public StoreIdentity open(boolean create) {
            StoreIdentity there = find(create);
            if (there.queues() != queues) {
                throw new InvalidRequestException(
                        queues ? ErrorCode.INVALID_SETTING : ErrorCode.NEEDS_QUEUES,
                        queues
                                ? "the store was made without queues; open it without a queue service"
                                : "the store was made with queues, which hold commits; open it with its queue service",
                        "prefix",
                        prefix);
            }
            return there;
        }

        private StoreIdentity find(boolean create) {
            Optional<StoreIdentity> found = find();
            for (int tries = 0; found.isEmpty() && tries < TRIES_MAX; tries++) {
                boolean used = isUsed();
                found = create && !used ? create() : Optional.empty();
                if (found.isEmpty()) {
                    found = find(); // others may just have made it
                }
                if (found.isEmpty() && used) {
                    found = copy("it is missing");
                }
                if (found.isEmpty() && used) {
                    throw new CorruptDataException(
                            ErrorCode.CATALOG_DAMAGED,
                            "the identity of the store is missing, its collections are not; restore the object from a"
                                    + " backup, or if an earlier version made the store, export it by that one",
                            "key",
                            key(prefix));
                }
                if (found.isEmpty() && !create) {
                    throw noStore(prefix);
                }
            }
            return found.orElseThrow(() -> new UnavailableException(
                    "the store could not be made; nothing was changed, open it again", "prefix", prefix));
        }

        private Optional<StoreIdentity> find() {
            try {
                return objects.get(key(prefix)).map(object -> decode(prefix, object));
            } catch (CorruptDataException damaged) {
                return Optional.of(copy(damaged.getMessage()).orElseThrow(() -> damaged));
            }
        }

        /**
         * Reads the copy of the identity; empty when that is damaged too. With it, the damage of one object does not
         * keep a whole store from being opened.
         */
        private Optional<StoreIdentity> copy(@Nullable String why) {
            try {
                Optional<StoreIdentity> copy = objects.get(copyKey(prefix)).map(object -> decode(prefix, object));
                copy.ifPresent(found -> LOG.warn(
                        "the identity of the store is damaged, and its copy is used; restore the object key={} why={}",
                        key(prefix),
                        why));
                return copy;
            } catch (CorruptDataException damagedToo) {
                return Optional.empty();
            }
        }

        /** Whether there are collections. They are made after the identity. */
        private boolean isUsed() {
            return !objects.list(prefix + "/catalog/", "", 1).entries().isEmpty();
        }

        private Optional<StoreIdentity> create() {
            if (KeyRing.isIn(objects, prefix + "/")) {
                throw encrypted(prefix);
            }
            StoreIdentity fresh = new StoreIdentity(prefix, draw(tasks.random()), queues);
            try {
                Bytes text = fresh.encode(tasks.nowMillis());
                requireConditions(text);
                objects.put(key(prefix), text, WriteCondition.IF_ABSENT);
                putCopy(text);
                return Optional.of(fresh);
            } catch (ConflictException | OutcomeUnknownException e) {
                return Optional.empty();
            }
        }

        /**
         * Checks that the object store heeds the conditions of puts, on which every promise rests: at the place of the
         * copy, a second put if absent and a put over a version that never was must be refused.
         *
         * @throws RefusedException when it ignores one of them
         */
        private void requireConditions(Bytes text) {
            ObjectProbe probe = new ObjectProbe(objects, copyKey(prefix));
            if (!probe.refusesSecond(text) || !probe.refusesForeign(text)) {
                objects.delete(copyKey(prefix));
                throw new RefusedException(
                        ErrorCode.UNSUPPORTED_SERVER,
                        "the object store ignores the conditions of puts (If-None-Match, If-Match), so commits would be"
                                + " lost; use a server or version that has them",
                        "prefix",
                        prefix);
            }
        }

        /** Puts a copy of the identity. Without it the store lacks a spare, and nothing else. */
        private void putCopy(Bytes text) {
            try {
                objects.put(copyKey(prefix), text, WriteCondition.ALWAYS);
            } catch (StoreException failure) {
                LOG.debug("the identity of the store has no copy why={}", failure.getMessage());
            }
        }
    }

    /**
     * Checks that the store is still there.
     *
     * @throws RefusedException when it is gone, or another one has taken its place
     */
    public void requireThere(ObjectStore objects) {
        StoreIdentity there =
                objects.get(key(prefix)).map(object -> decode(prefix, object)).orElseThrow(() -> noStore(prefix));
        if (!there.equals(this)) {
            throw new RefusedException(
                    ErrorCode.STORE_NOT_FOUND,
                    "another store has taken the place of the one that was opened; open it again",
                    "prefix",
                    prefix);
        }
    }

    /**
     * Checks that the copy is there, and whole.
     *
     * @throws CorruptDataException when it is not
     */
    public void requireCopy(ObjectStore objects) {
        boolean same = objects.get(copyKey(prefix))
                .map(object -> decode(prefix, object))
                .filter(this::equals)
                .isPresent();
        if (!same) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "the copy of the store's identity is missing or another's; run gc, which writes it",
                    "key",
                    copyKey(prefix));
        }
    }

    /** Writes the copy if it is not whole: who made the store may have been cut off before, or it was lost since. */
    public void mendCopy(ObjectStore objects) {
        try {
            requireCopy(objects);
        } catch (CorruptDataException missing) {
            objects.get(key(prefix))
                    .filter(object -> decode(prefix, object).equals(this))
                    .ifPresent(object -> objects.put(copyKey(prefix), object.body(), WriteCondition.ALWAYS));
        }
    }

    /** The part of the identity that names of queues have. */
    public String shortId() {
        return id.substring(0, SHORT);
    }

    /** The identity in the eight bytes that tokens and positions have for it. */
    public long number() {
        return Long.parseUnsignedLong(id.substring(Long.BYTES * 2), 16);
    }

    private static String key(String prefix) {
        return prefix + "/store";
    }

    private static String copyKey(String prefix) {
        return key(prefix) + ".copy";
    }

    private static String draw(RandomGenerator random) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }

    private static RefusedException noStore(String prefix) {
        return new RefusedException(
                ErrorCode.STORE_NOT_FOUND,
                "there is no store here; check the place and the prefix, or open it to write, which makes one",
                "prefix",
                prefix);
    }

    private static InvalidRequestException encrypted(String prefix) {
        return new InvalidRequestException(
                ErrorCode.NO_KEY,
                "the store is encrypted; give its master keys by the setting encryption (command line: --encryption)",
                "prefix",
                prefix);
    }

    private Bytes encode(long createdMillis) {
        String json =
                "{\"format\":1,\"store\":\"" + id + "\",\"queues\":" + queues + ",\"created\":" + createdMillis + "}";
        return Bytes.utf8(json + "\ncrc32c " + sum(json) + "\n");
    }

    private static StoreIdentity decode(String prefix, StoredObject object) {
        if (Seals.isSealed(object.body())) {
            throw encrypted(prefix);
        }
        Matcher text = TEXT.matcher(object.body().toUtf8());
        if (!text.matches() || !text.group(4).equals(sum(text.group(1)))) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "the identity of the store cannot be read; use the penstock that made it, or restore the object",
                    "key",
                    key(prefix),
                    "version",
                    object.version());
        }
        return new StoreIdentity(prefix, text.group(2), text.group(3).equals("true"));
    }

    private static String sum(String json) {
        CRC32C crc = new CRC32C();
        Bytes bytes = Bytes.utf8(json);
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
