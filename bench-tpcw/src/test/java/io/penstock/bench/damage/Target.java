package io.penstock.bench.damage;

/**
 * What is damaged.
 *
 * @param key of an object; of a message its number among all messages
 * @param kind what it is, in a word or two
 */
record Target(String key, String kind) {
    static Target message(int number) {
        return new Target(Integer.toString(number), "message");
    }

    /** Whether a failure is about this: by its key, or by the collection whose definition it is. */
    boolean isNamedBy(String message) {
        String file = key.substring(key.lastIndexOf('/') + 1);
        return message.contains(key)
                || kind.equals("catalog") && message.contains("unreadable=" + file.replace(".json", ""));
    }
}
