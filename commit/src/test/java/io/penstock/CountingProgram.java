package io.penstock;

import java.nio.file.Path;

/**
 * The program that {@link LocalRestartTest} kills: it reads the one record, counts on from there, and prints {@code at
 * <count>;} after each acknowledged commit. Default settings.
 */
final class CountingProgram {
    private CountingProgram() {}

    static Counter counter(Penstock store) {
        return new Counter(store.collection("counts", Keys.string(), Json.of(Long.class)));
    }

    /** The one record of the program. */
    record Counter(RecordCollection<String, Long> counts) {
        long read() {
            return counts.get("n").orElse(0L);
        }

        void write(long count) {
            counts.put("n", count);
        }
    }

    /** Arguments: directory, level, how often to count before the program ends at once, as if it were killed. */
    public static void main(String[] arguments) {
        Penstock store =
                Penstock.open(Settings.local(Path.of(arguments[0])).level(ConsistencyLevel.valueOf(arguments[1])));
        Counter counter = counter(store);
        long count = counter.read();
        System.out.println("at " + count + ";");
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            counter.write(++count);
            System.out.println("at " + count + ";");
            System.out.flush();
        }
        Runtime.getRuntime().halt(9);
    }
}
