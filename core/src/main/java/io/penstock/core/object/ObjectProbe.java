package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import java.util.Optional;

/**
 * Tries of what every promise of a store rests on and some servers lack, at a key that no other client writes
 * meanwhile. The object stays. Safe for use by many threads.
 */
public record ObjectProbe(ObjectStore objects, String key) {
    /** The version of no content, in the form of an ETag: a put over it must be refused, and then writes nothing. */
    public static final ObjectVersion NEVER = new ObjectVersion("0".repeat(32));

    /** Puts a missing object twice, and returns whether at most one put took effect. */
    public boolean refusesSecond(Bytes body) {
        boolean there = isPut(body, WriteCondition.IF_ABSENT);
        return !there || !isPut(body, WriteCondition.IF_ABSENT);
    }

    /** Puts over a version that never was, and returns whether that was refused. */
    public boolean refusesForeign(Bytes body) {
        return !isPut(body, WriteCondition.ifVersion(NEVER));
    }

    /** Puts an object and reads it, and returns whether the read showed the put. */
    public boolean showsLast(Bytes body, WriteCondition condition) {
        Written written = objects.put(key, body, condition);
        return objects.get(key).map(StoredObject::version).equals(Optional.of(written.version()));
    }

    /** Returns whether a put is known to have taken effect. */
    public boolean isPut(Bytes body, WriteCondition condition) {
        try {
            objects.put(key, body, condition);
            return true;
        } catch (ConflictException | OutcomeUnknownException refused) {
            return false;
        }
    }
}
