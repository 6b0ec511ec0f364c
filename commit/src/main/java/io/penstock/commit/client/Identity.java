package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.object.ObjectVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ids under which a handle writes for a while. They have one base, under which the handle is registered; their last
 * 16 bits count them. The first is that of stamps and of the ATOMIC queue, each other one that of a sender of numbered
 * log records. Safe for use by many threads.
 */
public final class Identity {
    private static final long COUNTED = 0xffff;

    /** The width of the list of senders in a heartbeat: heartbeats of one kind have one length. */
    private static final int SENDERS_WIDTH = 24;

    private static final HexFormat HEX = HexFormat.of();

    private static final int BEAT_LENGTH =
            new Identity(new ClientId(0)).beat(0, true).length();

    /** The maximum number of heartbeats of unknown outcome that are remembered: there is one try in each interval. */
    private static final int TRIED_MAX = 7;

    private final ClientId client;
    private final AtomicInteger last = new AtomicInteger();
    private final Set<Integer> senders = new ConcurrentSkipListSet<>();
    private volatile boolean over;
    private volatile boolean inDoubt;

    private volatile @Nullable Heard heard;

    // Written by one heartbeat at a time:
    private volatile @Nullable ObjectVersion version;
    private volatile List<Tried> tried = List.of();
    private volatile boolean queue;

    private Identity(ClientId client) {
        this.client = client;
    }

    static Identity draw(RandomGenerator random) {
        return new Identity(base(new ClientId(random.nextLong())));
    }

    /** The id under which the handle is registered that uses {@code id}. */
    public static ClientId base(ClientId id) {
        return new ClientId(id.value() & ~COUNTED);
    }

    /** The id of stamps, of the ATOMIC queue and of the registry. */
    public ClientId client() {
        return client;
    }

    /** A fresh id for a sender; empty when all are used up. */
    public Optional<ClientId> newSender() {
        int number = last.incrementAndGet();
        if (number > COUNTED) {
            return Optional.empty();
        }
        senders.add(number);
        return Optional.of(new ClientId(client.value() | number));
    }

    /** Notes that nothing more is sent under the id of a sender, so that others need not wait for missing numbers. */
    public void endSender(ClientId sender) {
        if (owns(sender)) {
            senders.remove(number(sender));
        }
    }

    private static int number(ClientId id) {
        return (int) (id.value() & COUNTED);
    }

    boolean owns(ClientId id) {
        return base(id).equals(client);
    }

    boolean isEnded(ClientId id) {
        return isEnded(number(id), last.get(), senders);
    }

    private static boolean isEnded(int number, int last, Set<Integer> senders) {
        return number > 0 && number <= last && !senders.contains(number);
    }

    /** Whether the handle writes under other ids by now. */
    public boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /**
     * Notes a heartbeat that has arrived.
     *
     * @param millis when it began, by the wall clock, which may be set. Not when it ended: while its answer waits,
     *     others may take the client for dead
     * @param nanos the time when it began by the monotonic clock, which may stand still
     */
    void heard(long millis, long nanos) {
        heard = new Heard(millis, nanos);
    }

    /** Notes that others have taken the client for dead. */
    void unheard() {
        heard = null;
    }

    /** Whether others may have taken the client for dead by now: by one of the clocks its silence exceeds the bound. */
    boolean isSilent(long nowMillis, long nowNanos, Duration bound) {
        Heard last = heard;
        return last == null || nowMillis - last.millis > bound.toMillis() || nowNanos - last.nanos > bound.toNanos();
    }

    /** The time at which the last heartbeat that has arrived began, by both clocks. */
    private record Heard(long millis, long nanos) {}

    /** Notes that the ATOMIC queue may hold a transaction that this client does not know to be committed. */
    public void doubt() {
        inDoubt = true;
    }

    /** Whether the ATOMIC queue may hold more than what this client knows of. */
    public boolean isInDoubt() {
        return inDoubt;
    }

    /** Whether the registry says that this identity may have an ATOMIC queue. */
    public boolean hasQueue() {
        return queue;
    }

    /** The version of the own last heartbeat; empty before the first. */
    Optional<ObjectVersion> version() {
        return Optional.ofNullable(version);
    }

    void lastHeartbeat(ObjectVersion newest, boolean withQueue) {
        version = newest;
        queue = withQueue;
        tried = List.of();
    }

    /** Notes a heartbeat that is about to be written: a repeated request meets what its first attempt has written. */
    void tried(Bytes beat, boolean withQueue) {
        tried = Stream.concat(
                        tried.stream().skip(Math.max(0, tried.size() - TRIED_MAX)),
                        Stream.of(new Tried(beat, withQueue)))
                .toList();
    }

    /** Notes that a heartbeat of this client's is there; false when it is none of those that may have been written. */
    boolean arrived(Bytes beat, ObjectVersion newest) {
        Optional<Tried> there =
                tried.stream().filter(one -> one.beat.equals(beat)).findFirst();
        there.ifPresent(one -> lastHeartbeat(newest, one.withQueue));
        return there.isPresent();
    }

    /** A heartbeat that may have been written. */
    private record Tried(Bytes beat, boolean withQueue) {}

    /**
     * The content of a heartbeat. Its length shows whether there may be an ATOMIC queue, so that a listing is enough.
     *
     * @param nonce drawn for each heartbeat: S3's versions are hashes of contents, and two clones must not write the
     *     same
     */
    Bytes beat(long nonce, boolean withQueue) {
        // The last number first: a sender that begins in between must not look as if it had ended.
        int newest = (int) Math.min(last.get(), COUNTED);
        String living = senders.stream()
                .map(number -> HEX.toHexDigits((short) (int) number))
                .collect(Collectors.joining(" "));
        String padding = " ".repeat(Math.max(0, SENDERS_WIDTH - living.length()));
        return Bytes.utf8("{\"state\":\"alive\",\"beat\":\"" + HEX.toHexDigits(nonce) + "\",\"queue\":" + withQueue
                + ",\"last\":\"" + HEX.toHexDigits((short) newest) + "\",\"senders\":\"" + living + padding + "\"}\n");
    }

    /** Whether an object of this length is a heartbeat that says that there is no ATOMIC queue. */
    static boolean isWithoutQueue(long bytes) {
        return bytes == BEAT_LENGTH + 1; // "false" has one letter more than "true"
    }

    /** Whether a heartbeat says that nothing more is sent under {@code id}. */
    public static boolean isEnded(Bytes beat, ClientId id) {
        return Beat.decode(beat).map(read -> read.isEnded(id)).orElse(false);
    }

    /** The part of a heartbeat about senders. */
    private record Beat(int last, Set<Integer> senders) {
        private static final Pattern FORM = Pattern.compile("\"last\":\"([0-9a-f]{4})\",\"senders\":\"([0-9a-f ]*)\"");

        static Optional<Beat> decode(Bytes beat) {
            Matcher found = FORM.matcher(beat.toUtf8());
            if (!found.find()) {
                return Optional.empty(); // damaged: nothing is known
            }
            Set<Integer> senders = Arrays.stream(found.group(2).strip().split(" "))
                    .filter(number -> !number.isEmpty())
                    .map(number -> Integer.parseInt(number, 16))
                    .collect(Collectors.toSet());
            return Optional.of(new Beat(Integer.parseInt(found.group(1), 16), senders));
        }

        boolean isEnded(ClientId id) {
            return Identity.isEnded(number(id), last, senders);
        }
    }
}
