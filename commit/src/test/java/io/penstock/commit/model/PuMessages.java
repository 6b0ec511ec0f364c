package io.penstock.commit.model;

import java.util.Arrays;

/**
 * A PU message as one number, so that a state is small: its name (queue, sender, number of its first record, records as
 * bits), and in the lowest two bits where it is.
 */
final class PuMessages {
    private static final int STATUS_MASK = 3;

    private PuMessages() {}

    static int name(int queue, int sender, int first, int records) {
        return ((queue << 4 | sender) << 4 | first) << 8 | records;
    }

    static int queue(int name) {
        return name >> 16;
    }

    static int sender(int name) {
        return name >> 12 & 0xf;
    }

    static int first(int name) {
        return name >> 8 & 0xf;
    }

    static int records(int name) {
        return name & 0xff;
    }

    static String describe(int name) {
        return "queue " + queue(name) + " sender " + sender(name) + " number " + first(name) + " records "
                + Integer.toBinaryString(records(name));
    }

    static int nameOf(int message) {
        return message >> 2;
    }

    static int status(int message) {
        return message & STATUS_MASK;
    }

    /** {@code messages} with one more, which is shown. */
    static int[] with(int[] messages, int name) {
        int[] more = Arrays.copyOf(messages, messages.length + 1);
        more[messages.length] = name << 2 | ProtocolState.SHOWN;
        Arrays.sort(more);
        return more;
    }

    /** Changes where a message is. */
    static void move(int[] messages, int name, int status) {
        for (int i = 0; i < messages.length; i++) {
            if (nameOf(messages[i]) == name) {
                messages[i] = name << 2 | status;
            }
        }
    }

    static int statusOf(int[] messages, int name) {
        for (int message : messages) {
            if (nameOf(message) == name) {
                return status(message);
            }
        }
        throw new IllegalArgumentException("no such message");
    }
}
