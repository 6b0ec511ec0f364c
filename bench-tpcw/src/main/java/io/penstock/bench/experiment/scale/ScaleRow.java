package io.penstock.bench.experiment.scale;

/**
 * The figures of one step. The names of the fields are an interface.
 *
 * @param step what was done
 * @param count of {@code unit}
 * @param seconds by the clock
 * @param cpuSeconds of the whole process, the collector's and the compiler's included
 * @param perSecond {@code count} by {@code seconds}
 * @param gets requests for objects
 * @param puts of objects
 * @param queueCalls requests to queues
 * @param mibRead objects' and messages' bytes that came from the servers
 * @param mibWritten and that went to them
 * @param heapMib the most in use right after a full collection, of which one is at the end of the step
 */
record ScaleRow(
        String step,
        long count,
        String unit,
        double seconds,
        double cpuSeconds,
        double perSecond,
        long gets,
        long puts,
        long queueCalls,
        double mibRead,
        double mibWritten,
        double heapMib) {}
