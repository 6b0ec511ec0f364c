package io.penstock.testing;

import io.penstock.testing.FaultMix.Fault;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a client and a server of HTTP/1.1 without TLS that does to requests what networks do. Each request
 * has its fault drawn from the mix. The draws follow from the seed, but which request meets which depends on the
 * threads. Threads may share it.
 */
public final class FaultProxy implements AutoCloseable {
    /** The way in which a server reports too many requests. */
    public enum Dialect {
        S3(HttpMessage.of(
                "503 Slow Down",
                List.of("Content-Type: application/xml", "x-amz-request-id: FAULTPROXY"),
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code>"
                        + "<Message>Please reduce your request rate.</Message></Error>")),
        SQS(HttpMessage.of(
                "400 Bad Request",
                List.of(
                        "Content-Type: application/x-amz-json-1.0",
                        "x-amzn-query-error: RequestThrottled;Sender",
                        "x-amzn-RequestId: faultproxy"),
                "{\"__type\":\"com.amazonaws.sqs#RequestThrottled\",\"message\":\"Slow down.\"}"));

        private final HttpMessage throttled;

        Dialect(HttpMessage throttled) {
            this.throttled = throttled;
        }
    }

    /** The state of the server as a whole. */
    public enum Plug {
        /** Requests go through, with the faults of the mix. */
        IN,
        /** Connections are refused, and those there were are gone. */
        REFUSING,
        /** Connections are accepted and requests are read, and nothing ever answers. */
        BLACK_HOLE
    }

    private final URI server;
    private final Dialect dialect;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final SplittableRandom random;

    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLongArray counts = new AtomicLongArray(Fault.values().length);
    private volatile FaultMix mix = FaultMix.CALM;
    private volatile Plug plug = Plug.IN;
    private final int port;
    private @Nullable ServerSocket listening;
    private @Nullable Thread accepting;

    private FaultProxy(URI server, Dialect dialect, long seed) {
        this.server = server;
        this.dialect = dialect;
        this.random = new SplittableRandom(seed);
        this.port = listen(0);
    }

    /** Opens a proxy on a free port of the loopback interface; all passes at first. */
    public static FaultProxy to(URI server, Dialect dialect, long seed) {
        return new FaultProxy(server, dialect, seed);
    }

    /** The address for clients, in any state of the plug. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Changes the faults of requests that come from now on. */
    public void setMix(FaultMix faults) {
        mix = faults;
    }

    /** Pulls the plug, or plugs in again. Requests swallowed by a black hole stay without an answer. */
    public synchronized void setPlug(Plug next) {
        plug = next;
        if (next == Plug.REFUSING) {
            unlisten();
            connections.forEach(connection -> drop(connection, true));
        } else if (listening == null) {
            listen(port);
        }
    }

    /** The number of requests by fault. */
    public Map<Fault, Long> counts() {
        Map<Fault, Long> result = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            result.put(fault, counts.get(fault.ordinal()));
        }
        return result;
    }

    public long count(Fault fault) {
        return counts.get(fault.ordinal());
    }

    /** Connections of clients that are open now. */
    public int connections() {
        return connections.size();
    }

    @Override
    public synchronized void close() {
        plug = Plug.REFUSING;
        unlisten();
        connections.forEach(connection -> drop(connection, false));
    }

    private synchronized int listen(int at) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 512);
            listening = socket;
            accepting = start("accept", () -> accept(socket));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The socket listens until the thread that waits on it has woken up: only then are connections refused. */
    private void unlisten() {
        if (listening == null || accepting == null) {
            return;
        }
        closeQuietly(listening);
        listening = null;
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Platform threads: the clients under test may need all carriers of virtual ones. */
    private static Thread start(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name("fault-proxy-" + name).start(body);
    }

    private void accept(ServerSocket socket) {
        while (true) {
            Socket client;
            try {
                client = socket.accept();
            } catch (IOException closed) {
                return;
            }
            connections.add(client);
            if (plug == Plug.REFUSING) {
                drop(client, true);
            } else {
                start("connection", () -> serve(client));
            }
        }
    }

    /** One connection of a client, and one to the server for it. */
    private void serve(Socket client) {
        try (client;
                Socket upstream = new Socket()) {
            client.setTcpNoDelay(true);
            InputStream requests = new BufferedInputStream(client.getInputStream());
            OutputStream back = client.getOutputStream();
            boolean open = true;
            while (open) {
                HttpMessage request = HttpMessage.request(requests, back);
                open = request != null && connections.contains(client) && meet(request, client, upstream);
            }
        } catch (IOException e) {
            // Either side has gone: so does the other.
        } finally {
            connections.remove(client);
        }
    }

    /** Lets a request meet its fault; false when its connection has come to an end. */
    private boolean meet(HttpMessage request, Socket client, Socket upstream) throws IOException {
        if (plug == Plug.BLACK_HOLE) {
            counts.incrementAndGet(Fault.SWALLOWED.ordinal());
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
            return false;
        }
        Draw draw = draw();
        counts.incrementAndGet(draw.fault.ordinal());
        return switch (draw.fault) {
            case CUT_BEFORE -> end(client, draw.coin);
            case CUT_AFTER -> {
                ask(request, upstream);
                yield end(client, draw.coin);
            }
            case HALF_ANSWER -> {
                byte[] answer = ask(request, upstream).bytes();
                client.getOutputStream().write(answer, 0, answer.length / 2);
                client.getOutputStream().flush();
                yield end(client, draw.coin);
            }
            case THROTTLE -> send(dialect.throttled, request, client);
            case DELAY -> {
                pause(draw.coin ? draw.delayMillis : 0);
                HttpMessage answer = ask(request, upstream);
                pause(draw.coin ? 0 : draw.delayMillis);
                yield send(answer, request, client);
            }
            case NONE, SWALLOWED -> send(ask(request, upstream), request, client);
        };
    }

    /** @param coin chooses between two ways of doing it */
    private record Draw(Fault fault, boolean coin, long delayMillis) {}

    private Draw draw() {
        FaultMix current = mix;
        lock.lock();
        try {
            return new Draw(
                    current.at(random.nextDouble()),
                    random.nextBoolean(),
                    random.nextLong(current.delayMax().toMillis() + 1));
        } finally {
            lock.unlock();
        }
    }

    private HttpMessage ask(HttpMessage request, Socket upstream) throws IOException {
        if (!upstream.isConnected()) {
            upstream.setTcpNoDelay(true);
            upstream.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        }
        return request.ask(upstream);
    }

    private static boolean send(HttpMessage answer, HttpMessage request, Socket client) throws IOException {
        client.getOutputStream().write(answer.bytes());
        client.getOutputStream().flush();
        return !answer.isLast() && !request.isLast();
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Ends a connection in order, or by a reset. Always false: nothing more comes of it. */
    private static boolean end(Socket client, boolean reset) {
        try {
            if (reset) {
                client.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            // It has ended already.
        }
        closeQuietly(client);
        return false;
    }

    /**
     * Ends a connection from outside its thread. That thread may still read a request that reached the socket before
     * the close did: a connection that is no longer in the set lets none through.
     */
    private void drop(Socket client, boolean reset) {
        connections.remove(client);
        end(client, reset);
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // It has ended already.
        }
    }
}
