package io.penstock.core.seal;

import java.util.Base64;
import java.util.Random;

/** Master keys of tests. */
final class TestKeys {
    private TestKeys() {}

    /** The line of a key in a file of keys. */
    static String line(String name, long seed) {
        byte[] key = new byte[32];
        new Random(seed).nextBytes(key);
        return name + " " + Base64.getEncoder().encodeToString(key);
    }
}
