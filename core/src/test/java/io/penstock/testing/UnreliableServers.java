package io.penstock.testing;

import io.penstock.testing.FaultMix.Fault;
import io.penstock.testing.FaultProxy.Dialect;
import io.penstock.testing.FaultProxy.Plug;
import io.penstock.testing.RealServers.Endpoint;
import java.util.Objects;

/** A real server behind two proxies, one for S3 and one for SQS. Threads may share it. */
public final class UnreliableServers implements AutoCloseable {
    private final Endpoint server;
    private final FaultProxy objects;
    private final FaultProxy queues;

    public UnreliableServers(Endpoint server, long seed) {
        this.server = server;
        objects = FaultProxy.to(server.s3(), Dialect.S3, seed);
        queues = FaultProxy.to(Objects.requireNonNull(server.sqs()), Dialect.SQS, seed + 1);
    }

    /** The way through the proxies. */
    public Endpoint endpoint() {
        return server.at(objects.address(), queues.address());
    }

    /** The way past the proxies. */
    public Endpoint server() {
        return server;
    }

    public void setMix(FaultMix mix) {
        objects.setMix(mix);
        queues.setMix(mix);
    }

    public void setPlug(Plug plug) {
        objects.setPlug(plug);
        queues.setPlug(plug);
    }

    /** The number of requests that met {@code fault}, of both kinds. */
    public long count(Fault fault) {
        return objects.count(fault) + queues.count(fault);
    }

    /** The faults of requests, in words. */
    public String describe() {
        return "s3 " + objects.counts() + " sqs " + queues.counts();
    }

    @Override
    public void close() {
        objects.close();
        queues.close();
    }
}
