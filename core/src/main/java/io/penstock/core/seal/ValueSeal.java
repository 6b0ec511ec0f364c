package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sealing of values under one master key, wherever they are kept: each has with it the data key, sealed. Safe for
 * use by many threads.
 *
 * <pre>
 * 0      4    5          5 + n
 * +------+----+----------+------+-----------------+------+------------+-----+
 * | PSV1 | n  | master n | m, 2 | sealed data key | salt | value      | tag |
 * +------+----+----------+------+-----------------+------+------------+-----+
 * </pre>
 */
public final class ValueSeal {
    private static final Bytes MAGIC = Bytes.utf8("PSV\u0001");
    private static final Bytes CONTEXT = Bytes.utf8("penstock values");

    /** The nonce of keys that seal one value each. */
    private static final Bytes NONCE = Bytes.wrap(new byte[Gcm.NONCE_BYTES]);

    /** The longest name of a master key, in UTF-8: its length is one byte. */
    static final int NAME_BYTES_MAX = 255;

    private static final int KNOWN_MAX = 10_000;

    private final MasterKeys masters;
    private final byte[] dataKey = Gcm.random(Gcm.KEY_BYTES).toArray();
    private final Bytes head;

    /** The data keys of this process and others, by their sealed forms. */
    private final Map<Bytes, byte[]> known = new ConcurrentHashMap<>();

    /**
     * @param master the name of the key
     * @throws InvalidRequestException when there is no such key, or its name has more than 255 bytes
     */
    public ValueSeal(MasterKeys masters, String master) {
        this.masters = masters;
        Bytes name = Bytes.utf8(master);
        if (name.length() > NAME_BYTES_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.NO_KEY,
                    "the name of a master key is too long to be kept with values; rename it",
                    "bytes",
                    name.length(),
                    "bytesMax",
                    NAME_BYTES_MAX);
        }
        Bytes sealed = masters.seal(master, Bytes.wrap(dataKey), CONTEXT);
        ByteBuffer made = ByteBuffer.allocate(MAGIC.length() + 1 + name.length() + 2 + sealed.length());
        made.put(MAGIC.toArray()).put((byte) name.length()).put(name.toArray());
        this.head = Bytes.wrap(
                made.putShort((short) sealed.length()).put(sealed.toArray()).array());
    }

    public Bytes seal(Bytes value) {
        Bytes bound = head.concat(Gcm.random(Frame.SALT_BYTES));
        byte[] sealed = new byte[bound.length() + value.length() + Gcm.TAG_BYTES];
        bound.copyTo(sealed, 0);
        Gcm.seal(Gcm.derive(dataKey, bound), NONCE, bound.toArray(), value, sealed, bound.length());
        return Bytes.wrap(sealed);
    }

    /**
     * Opens a value.
     *
     * @throws io.penstock.core.InvalidRequestException of code {@code NO_KEY} when there is no master key for it: it is
     *     erased if there is none anywhere
     * @throws CorruptDataException when it is not sealed, or was changed
     */
    public Bytes open(Bytes sealed) {
        try {
            return opened(sealed);
        } catch (IndexOutOfBoundsException cut) {
            throw damaged(cut);
        }
    }

    private Bytes opened(Bytes sealed) {
        int nameAt = MAGIC.length() + 1;
        int keyAt = nameAt + (sealed.startsWith(MAGIC) ? sealed.at(MAGIC.length()) & 0xff : sealed.length()) + 2;
        int saltAt = keyAt + ((sealed.at(keyAt - 2) & 0xff) << Byte.SIZE | sealed.at(keyAt - 1) & 0xff);
        int valueAt = saltAt + Frame.SALT_BYTES;
        byte[] key = key(sealed.slice(nameAt, keyAt - 2).toUtf8(), sealed.slice(keyAt, saltAt));
        Bytes bound = sealed.slice(0, valueAt);
        byte[] value = new byte[Math.max(0, sealed.length() - valueAt - Gcm.TAG_BYTES)];
        Bytes body = sealed.slice(valueAt, sealed.length());
        if (body.length() < Gcm.TAG_BYTES
                || !Gcm.open(Gcm.derive(key, bound), NONCE, bound.toArray(), body, value, 0)) {
            throw damaged(null);
        }
        return Bytes.wrap(value);
    }

    private byte[] key(String master, Bytes sealed) {
        if (known.size() > KNOWN_MAX) {
            known.clear();
        }
        byte[] found = known.get(sealed);
        if (found == null) {
            found = opened(master, sealed).toArray();
            known.put(sealed.copy(), found);
        }
        return found;
    }

    private Bytes opened(String master, Bytes sealed) {
        try {
            return masters.open(master, sealed, CONTEXT);
        } catch (InvalidRequestException noKey) {
            throw new InvalidRequestException(
                    noKey.code(),
                    "the value of a record cannot be opened; give its master key, or, if that was destroyed, replace or"
                            + " delete the record",
                    noKey,
                    "master",
                    master,
                    "why",
                    noKey.getMessage());
        }
    }

    private static CorruptDataException damaged(@Nullable Throwable cause) {
        return new CorruptDataException(
                ErrorCode.CODEC_FAILURE,
                "a value is not sealed, or was changed since; was it written by a codec that does not seal?",
                cause);
    }
}
