package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Master keys that this process has as text. Messages tell where it is from, and nothing that it says.
 *
 * @param text read again for each use: they are few, and a key that was removed is gone
 */
record GivenKeys(String where, Supplier<String> text) implements MasterKeys {
    private static final int NAME_MAX = 200;

    /** The bytes that a key without a name is known by. */
    private static final int NAME_BYTES = 4;

    private Map<String, byte[]> keys() {
        Map<String, byte[]> keys = new LinkedHashMap<>();
        for (String line : text.get().split("[\\n,]")) {
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                add(keys, line.strip().split("\\s+"));
            }
        }
        if (keys.isEmpty()) {
            throw refused("there is no master key; give one, such as that of openssl rand -base64 32");
        }
        return keys;
    }

    private void add(Map<String, byte[]> keys, String[] words) {
        byte[] key = decoded(words[words.length - 1]);
        if (words.length > 2
                || words[0].length() > NAME_MAX
                || Bytes.utf8(words[0]).length() > ValueSeal.NAME_BYTES_MAX
                || key.length != Gcm.KEY_BYTES) {
            throw refused(
                    "a master key is not a short name and 32 bytes in base64; make one with openssl rand -base64 32");
        }
        String name = words.length == 2
                ? words[0]
                : Bytes.wrap(Gcm.derive(key, Bytes.utf8("penstock name")), 0, NAME_BYTES)
                        .toHex();
        if (keys.put(name, key) != null) {
            throw refused("two master keys have one name; rename one");
        }
    }

    private static byte[] decoded(String word) {
        try {
            return Base64.getDecoder().decode(word);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private InvalidRequestException refused(String why) {
        return new InvalidRequestException(ErrorCode.NO_KEY, why, "keys", where);
    }

    private byte[] key(String name) {
        byte[] key = keys().get(name);
        if (key == null) {
            throw new InvalidRequestException(
                    ErrorCode.NO_KEY,
                    "what is to be opened was sealed by a master key that is not among those given; add it",
                    "master",
                    name,
                    "keys",
                    where);
        }
        return key;
    }

    @Override
    public String current() {
        return keys().keySet().iterator().next();
    }

    @Override
    public Bytes seal(String name, Bytes dataKey, Bytes context) {
        byte[] key = key(name);
        // Data keys are random, so a nonce made of one is as good as one that is drawn.
        Bytes nonce = Bytes.wrap(Gcm.derive(key, context.concat(dataKey)), 0, Gcm.NONCE_BYTES);
        byte[] sealed = new byte[Gcm.NONCE_BYTES + dataKey.length() + Gcm.TAG_BYTES];
        nonce.copyTo(sealed, 0);
        Gcm.seal(key, nonce, context.toArray(), dataKey, sealed, Gcm.NONCE_BYTES);
        return Bytes.wrap(sealed);
    }

    @Override
    public Bytes open(String name, Bytes sealed, Bytes context) {
        byte[] key = key(name);
        int length = sealed.length() - Gcm.NONCE_BYTES - Gcm.TAG_BYTES;
        byte[] dataKey = new byte[Math.max(0, length)];
        if (length < 0
                || !Gcm.open(
                        key,
                        sealed.slice(0, Gcm.NONCE_BYTES),
                        context.toArray(),
                        sealed.slice(Gcm.NONCE_BYTES, sealed.length()),
                        dataKey,
                        0)) {
            throw new InvalidRequestException(
                    ErrorCode.NO_KEY,
                    "a master key has the right name, but is not the one that sealed the data key; give that one",
                    "master",
                    name,
                    "keys",
                    where);
        }
        return Bytes.wrap(dataKey);
    }
}
