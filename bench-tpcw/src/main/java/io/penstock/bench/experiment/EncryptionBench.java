package io.penstock.bench.experiment;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.Quantiles;
import io.penstock.core.Bytes;
import io.penstock.core.seal.MasterKeys;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Command;

/**
 * The program of {@code scripts/bench encryption}. Stores in memory, so that what is measured is the client's processor
 * alone; plain and encrypted rounds alternate.
 */
@Command(
        name = "bench encryption",
        description = "Measures the processor time of commits, cached reads and cold scans, with encryption and"
                + " without, on stores in memory.",
        sortOptions = false)
public final class EncryptionBench extends Benchmark {
    private static final int RECORDS = 20_000;
    private static final int COMMITS = 2_000;
    private static final int READS = 400_000;
    private static final int PAYLOAD_BYTES = 1_000;
    private static final int ROUNDS = 5;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private final Random random = new Random(7);

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new EncryptionBench(), arguments);
    }

    @Override
    protected void measure() {
        Subject plain = new Subject(Settings.inMemory());
        Subject sealed = new Subject(Settings.inMemory().encryption(MasterKeys.given(KEY)));
        compare("commit of 1 record of 1 KB", plain::commits, sealed::commits, COMMITS);
        compare("cached read", plain::reads, sealed::reads, READS);
        compare("cold scan, a record of 1 KB", plain::scan, sealed::scan, RECORDS);
        plain.store.close();
        sealed.store.close();
    }

    /** Adds the medians of rounds by turns, for one operation, and what the second takes more. */
    private void compare(String name, Runnable plain, Runnable sealed, int operations) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = -1; round < ROUNDS; round++) {
            double first = micros(plain) / operations;
            double second = micros(sealed) / operations;
            if (round >= 0) { // the one before warms up
                without.add(first);
                with.add(second);
            }
        }
        double base = Quantiles.at(without, 0.5);
        double encrypted = Quantiles.at(with, 0.5);
        add(Figure.of(name + ", plain", base, "us"));
        add(Figure.of(name + ", encrypted", encrypted, "us"));
        add(Figure.of(name + ", encrypted by plain", encrypted / base, "times"));
    }

    /** The time of this process's threads, whatever else the machine does. */
    private static double micros(Runnable work) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getProcessCpuTime();
        work.run();
        return (system.getProcessCpuTime() - before) / NANOS_PER_MICRO;
    }

    /** One of the two stores. */
    private final class Subject {
        private final Settings settings;
        private final Penstock store;
        private final RecordCollection<Long, Bytes> records;

        Subject(Settings settings) {
            this.settings = settings.poolBytes(256 << 20);
            this.store = Penstock.open(this.settings);
            this.records = in(store);
            byte[] payload = new byte[PAYLOAD_BYTES];
            for (int batch = 0; batch < RECORDS / 100; batch++) {
                int first = batch * 100;
                store.transact(all -> {
                    for (long key = first; key < first + 100; key++) {
                        random.nextBytes(payload);
                        all.put(records, key, Bytes.wrap(payload.clone()));
                    }
                    return true;
                });
            }
            store.admin().checkpoint();
        }

        private static RecordCollection<Long, Bytes> in(Penstock store) {
            return store.collection("records", Keys.longs(), PayloadCodec.bytes());
        }

        void commits() {
            byte[] payload = new byte[PAYLOAD_BYTES];
            for (int i = 0; i < COMMITS; i++) {
                random.nextBytes(payload);
                records.put((long) random.nextInt(RECORDS), Bytes.wrap(payload.clone()));
            }
            store.admin().checkpoint();
        }

        void reads() {
            store.read(all -> {
                for (int i = 0; i < READS; i++) {
                    if (all.get(records, (long) random.nextInt(RECORDS)).isEmpty()) {
                        throw new IllegalStateException("a record is missing");
                    }
                }
                return true;
            });
        }

        void scan() {
            try (Penstock cold = Penstock.open(settings.readOnly(true));
                    Scan<Entry<Long, Bytes>> scan = in(cold).scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> {});
            }
        }
    }
}
