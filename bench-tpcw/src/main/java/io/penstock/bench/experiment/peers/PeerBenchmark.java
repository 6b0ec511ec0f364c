package io.penstock.bench.experiment.peers;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The JMH benchmarks. Each runs in a process of its own, on one store, with one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class PeerBenchmark {
    private static final int WARMUP_STRIDE = 100;

    /** The store. */
    @Param({
        "PENSTOCK",
        "PENSTOCK_BY_NEXT",
        "PENSTOCK_TREE",
        "PENSTOCK_PAGE",
        "PENSTOCK_DECODE",
        "PENSTOCK_WRITE",
        "H2MVSTORE",
        "MAPDB"
    })
    @SuppressWarnings("NullAway.Init")
    public Subject subject;

    /** The number of records. */
    @Param("1000000")
    public int records;

    @SuppressWarnings("NullAway.Init")
    private PeerStore store;

    /** Seconds of processor time before JMH begins: its own warm-up is by the clock, which a busy machine shortens. */
    @Param("3")
    public int warmup;

    private int draw;
    private int batch;

    /** Fills the store, and repeats the measured operation until the compiler has optimized it. */
    @Setup
    public void fill(BenchmarkParams benchmark) {
        store = subject.fill(new Records(records));
        String name = benchmark.getBenchmark();
        long end = CpuProfiler.cpuNanos() + TimeUnit.SECONDS.toNanos(warmup);
        while (CpuProfiler.cpuNanos() < end) {
            for (int i = 0; i < WARMUP_STRIDE; i++) {
                Object unused = name.endsWith("read") ? read() : name.endsWith("scan") ? scan() : apply();
            }
        }
    }

    /** Reads one record. */
    @Benchmark
    public int read() {
        draw = draw + 1 == records ? 0 : draw + 1;
        return store.read(draw);
    }

    /** Reads 1,000 records in order. */
    @Benchmark
    @OperationsPerInvocation(Records.RUN)
    public int scan() {
        draw = draw + 1 == records ? 0 : draw + 1;
        return store.scan(draw);
    }

    /** Writes 1,000 records that follow one another. */
    @Benchmark
    @OperationsPerInvocation(Records.RUN)
    public Object apply() {
        batch = batch + 1 == Records.BATCHES ? 0 : batch + 1;
        return store.apply(batch);
    }

    /** Closes the store. */
    @TearDown
    public void close() {
        store.close();
    }

    /** A measured store. JMH selects by the constant's name. */
    public enum Subject {
        /** The front door. */
        PENSTOCK(records -> new PenstockPeer(records, false)),
        /** The front door, where a scan is asked for one record after the other. */
        PENSTOCK_BY_NEXT(records -> new PenstockPeer(records, true)),
        /** Tree and pages alone. */
        PENSTOCK_TREE(PenstockPeer.TreePeer::read),
        /** One page alone. */
        PENSTOCK_PAGE(records -> new PenstockPeer.PagePeer(records, false)),
        /** One page alone that arrives. */
        PENSTOCK_DECODE(records -> new PenstockPeer.PagePeer(records, true)),
        /** A tree that is written. */
        PENSTOCK_WRITE(PenstockPeer.TreePeer::written),
        H2MVSTORE(MapPeer.MvStore::fill),
        MAPDB(MapPeer.MapDb::fill);

        private final Function<Records, PeerStore> filled;

        Subject(Function<Records, PeerStore> filled) {
            this.filled = filled;
        }

        /** A fresh store with all records. */
        PeerStore fill(Records records) {
            return filled.apply(records);
        }
    }
}
