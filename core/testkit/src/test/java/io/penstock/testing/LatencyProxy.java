package io.penstock.testing;

import io.penstock.testkit.CloudCall;
import io.penstock.testkit.Profile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A proxy before a server of S3 and SQS on this machine that answers as late as a cloud would, and counts what it would
 * charge. A request is passed on at once; its answer leaves when the server has given it and the time drawn for such a
 * request is over. So a server that is quicker than the cloud adds nothing, and one that is slower adds what it is
 * slower. Threads may share it.
 */
public final class LatencyProxy implements AutoCloseable {
    /**
     * What has been asked so far.
     *
     * @param dollars by the prices of the profile
     */
    public record Bill(Map<CloudCall, Long> requests, double dollars) {
        /** What has been asked since an earlier bill. */
        public Bill since(Bill earlier) {
            Map<CloudCall, Long> more = new EnumMap<>(CloudCall.class);
            requests.forEach((call, count) -> more.put(call, count - earlier.requests.getOrDefault(call, 0L)));
            return new Bill(more, dollars - earlier.dollars);
        }

        /** What has been asked of either of two. */
        public Bill and(Bill other) {
            Map<CloudCall, Long> all = new EnumMap<>(CloudCall.class);
            all.putAll(requests);
            other.requests.forEach((call, count) -> all.merge(call, count, Long::sum));
            return new Bill(all, dollars + other.dollars);
        }

        public long count() {
            return requests.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final int BACKLOG = 512;

    private final URI server;
    private final Profile profile;
    private final ServerSocket listening;
    private final ReentrantLock lock = new ReentrantLock();

    private final AtomicInteger underWay = new AtomicInteger();

    /** Guarded by lock. */
    private final SplittableRandom random;

    /** Guarded by lock. */
    private final Map<CloudCall, Long> requests = new EnumMap<>(CloudCall.class);

    /** Guarded by lock. */
    private double dollars;

    private LatencyProxy(URI server, Profile profile, long seed) throws IOException {
        this.server = server;
        this.profile = profile;
        this.random = new SplittableRandom(seed);
        this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Opens a proxy on a free port of the loopback interface. */
    public static LatencyProxy to(URI server, Profile profile, long seed) {
        try {
            return new LatencyProxy(server, profile, seed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    public Bill bill() {
        lock.lock();
        try {
            return new Bill(new EnumMap<>(requests), dollars);
        } finally {
            lock.unlock();
        }
    }

    /** Takes no further connections; those there are end with their clients. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Platform threads: the clients may need all carriers of virtual ones. */
    private static void start(Runnable body) {
        Thread.ofPlatform().daemon().name("latency-proxy").start(body);
    }

    private void accept() {
        while (true) {
            Socket client;
            try {
                client = listening.accept();
            } catch (IOException closed) {
                return;
            }
            start(() -> serve(client));
        }
    }

    /** One connection of a client. */
    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            boolean open = true;
            while (open) {
                HttpMessage request = HttpMessage.request(in, client.getOutputStream());
                open = request != null && pass(request, client);
            }
        } catch (IOException e) {
            // Either side has gone: so does this connection.
        }
    }

    private boolean pass(HttpMessage request, Socket client) throws IOException {
        underWay.incrementAndGet();
        try {
            return passOne(request, client);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private boolean passOne(HttpMessage request, Socket client) throws IOException {
        long begun = System.nanoTime();
        HttpMessage answer = ask(request);
        long due = begun + account(HttpCalls.of(request, answer), request.bytes().length, answer.bytes().length);
        try {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        client.getOutputStream().write(answer.bytes());
        client.getOutputStream().flush();
        return !answer.isLast() && !request.isLast();
    }

    /** A connection for each request: the server may end one that rests, just when a request sets out on it. */
    private HttpMessage ask(HttpMessage request) throws IOException {
        try (Socket upstream = new Socket(server.getHost(), server.getPort())) {
            upstream.setTcpNoDelay(true);
            return request.ask(upstream);
        }
    }

    /** Returns how long the request takes, in nanoseconds. */
    private long account(CloudCall call, int bytesIn, int bytesOut) {
        lock.lock();
        try {
            requests.merge(call, 1L, Long::sum);
            dollars += call.price(profile.prices(), bytesIn, bytesOut);
            return profile.latency(call).nanos(random.nextGaussian(), Math.max(bytesIn, bytesOut), underWay.get());
        } finally {
            lock.unlock();
        }
    }
}
