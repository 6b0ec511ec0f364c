package io.penstock;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program whose callers are virtual threads that keep their carrier while they wait, and others that do not. Each
 * opens a store, reads, scans, writes and closes it, and uses one that all of them share. Prints how many have ended.
 */
public final class PinnedCallers {
    static final int CALLERS = 64;

    private static final int SECONDS = Integer.getInteger("seconds", 60);
    /** Made once, as programs do: Jackson's own locks for its first look at a class know nothing of carriers. */
    private static final PayloadCodec<String> WORD = Json.of(String.class);

    private static final ThreadLocal<Runnable> BODY = new ThreadLocal<>();

    private final ConcurrentMap<String, Boolean> cache = new ConcurrentHashMap<>();
    private final CountDownLatch running = new CountDownLatch(CALLERS);
    private final Penstock shared;
    private final Settings own;

    private PinnedCallers(Path directory, ConsistencyLevel level) {
        Duration soon = Duration.ofMillis(1); // so that most reads wait for a request
        this.own = Settings.inMemory().level(level).ttl(soon);
        this.shared = Penstock.open(Settings.local(directory).level(level).ttl(soon));
    }

    /** How a caller keeps its carrier: Java releases it in a monitor from version 24 on, in an initializer never. */
    enum Way {
        SYNCHRONIZED,
        COMPUTE_IF_ABSENT,
        INITIALIZER,
        /** One caller in four in a monitor, one in an initializer, the others not at all. */
        MIXED
    }

    /** @param arguments a directory, a level and a {@link Way} */
    public static void main(String[] arguments) throws InterruptedException {
        PinnedCallers callers = new PinnedCallers(Path.of(arguments[0]), ConsistencyLevel.valueOf(arguments[1]));
        Way way = Way.valueOf(arguments[2]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().name("caller " + i).start(() -> callers.call(way, number)));
        }
        boolean all = callers.running.await(SECONDS, TimeUnit.SECONDS);
        System.out.println("ended " + (CALLERS - callers.running.getCount()));
        if (!all) {
            threads.stream().filter(Thread::isAlive).limit(3).forEach(PinnedCallers::print);
            Runtime.getRuntime().halt(1);
        }
        callers.shared.close();
    }

    private static void print(Thread thread) {
        System.out.println(thread.getName());
        for (StackTraceElement at : thread.getStackTrace()) {
            System.out.println("    " + at);
        }
    }

    private void call(Way way, int number) {
        Runnable body = () -> use(number);
        switch (way) {
            case SYNCHRONIZED -> inMonitor(body);
            case COMPUTE_IF_ABSENT ->
                cache.computeIfAbsent("k" + number * 37, key -> {
                    body.run();
                    return true;
                });
            case INITIALIZER -> inInitializer(body);
            case MIXED -> mixed(number, body);
        }
        running.countDown();
    }

    private static void mixed(int number, Runnable body) {
        switch (number % 4) {
            case 0 -> inMonitor(body);
            case 2 -> inInitializer(body);
            default -> body.run();
        }
    }

    private static void inMonitor(Runnable body) {
        new Monitor().run(body);
    }

    private static final class Monitor {
        private synchronized void run(Runnable body) {
            body.run();
        }
    }

    private static void inInitializer(Runnable body) {
        BODY.set(body);
        try {
            Class.forName(Initialized.class.getName(), true, new Loader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void use(int number) {
        try (Penstock store = Penstock.open(own)) {
            use(store, number);
        }
        for (int i = 0; i < 2; i++) {
            use(shared, number);
        }
    }

    private static void use(Penstock store, int number) {
        RecordCollection<String, String> words = store.collection("words", Keys.string(), WORD);
        String key = "k" + number;
        words.put(key, "value");
        words.get(key).orElseThrow();
        store.transact(transaction -> {
            transaction.put(words, key, transaction.get(words, key).orElseThrow() + number);
            return true;
        });
        try (Session session = store.newSession();
                Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            session.withDeadline(Duration.ofSeconds(SECONDS), () -> words.get(key))
                    .orElseThrow();
            scan.next();
        }
        store.admin().checkpoint();
    }

    /** Defines {@link Initialized} anew, so that each caller initializes a class of its own. */
    private static final class Loader extends ClassLoader {
        private Loader() {
            super(PinnedCallers.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Initialized.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Called by the initializer, from another class loader. */
    public static void runBody() {
        BODY.get().run();
    }
}
