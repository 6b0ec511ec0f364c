package io.penstock;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.checkpoint.LedgerProbe;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.LogProbe;
import io.penstock.commit.feed.PositionProbe;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.query.SummaryProbe;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.session.ResumeToken;
import io.penstock.commit.token.TokenProbe;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageTargets;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.FuzzTarget;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** All decoders from the front door down to the core, and pages of the golden files. */
public final class CommitTargets {
    private static final TreeId GOLDEN_TREE = new TreeId(0x1122334455667788L);
    private static final ClientId CLIENT = new ClientId(0xa11L);
    private static final Stamp STAMP = Stamp.of(1_700_000_000_000L, 3, CLIENT);

    /** The offset of the checksum in a message. */
    private static final int MESSAGE_CRC_AT = 3;

    private CommitTargets() {}

    public static List<FuzzTarget> all() {
        return Stream.of(goldenPages(), messages(), logs(), names(), keys(), texts(), TreeTargets.all())
                .flatMap(List::stream)
                .toList();
    }

    private static byte[] golden(String name) {
        try (InputStream in = CommitTargets.class.getResourceAsStream("/golden/v1/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<FuzzTarget> goldenPages() {
        PageId ledger = new PageId(GOLDEN_TREE, 0x77L);
        byte[] ledgerPage = golden("ledger.bin");
        byte[] body =
                PageImage.decode(Bytes.wrap(ledgerPage), ledger, "x").body().toArray();
        return List.of(
                PageTargets.page("golden-leaf", new PageId(GOLDEN_TREE, 0xbeefL), List.of(golden("leaf.bin"))),
                PageTargets.page("golden-inner", PageId.root(GOLDEN_TREE), List.of(golden("inner.bin"))),
                PageTargets.page("golden-ledger", ledger, List.of(ledgerPage)),
                FuzzTarget.of(
                        "ledger",
                        List.of(body, LedgerProbe.example(CLIENT).toArray()),
                        bytes -> LedgerProbe.use(Bytes.wrap(bytes))));
    }

    /** Deletes, payloads, references and epochs, of two trees. */
    private static List<LogRecord> records() {
        Bytes reference =
                OverflowParts.of(new OverflowReference(CLIENT, 5, 70_000)).encode();
        TreeId other = new TreeId(77);
        return List.of(
                new LogRecord(GOLDEN_TREE, new RecordChange.Put(Bytes.utf8("a"), Bytes.utf8("payload"), STAMP)),
                new LogRecord(GOLDEN_TREE, new RecordChange.Delete(Bytes.utf8("b"), STAMP), 3),
                new LogRecord(other, new RecordChange.Put(Bytes.utf8("c"), reference, true, STAMP)));
    }

    private static List<FuzzTarget> messages() {
        byte[] pu = new PuMessage(CLIENT, 41, records()).encode().toArray();
        RecordChange put = new RecordChange.Put(Bytes.utf8("d"), Bytes.utf8("goes"), false, 1 << 30, STAMP);
        byte[] expires = new PuMessage(CLIENT, 41, List.of(new LogRecord(GOLDEN_TREE, put)))
                .encode()
                .toArray();
        byte[] renewed = new PuMessage(CLIENT, 1, new PuMessage.Predecessor(STAMP.client(), 41), records())
                .encode()
                .toArray();
        List<AtomicMessage.Part> parts =
                List.of(new AtomicMessage.Part(STAMP, 0, 1, records()), new AtomicMessage.Part(STAMP, 1, 2, List.of()));
        byte[] atomic = new AtomicMessage(parts).encode().toArray();
        byte[] token = TokenProbe.encoded(CLIENT, records()).toArray();
        return List.of(
                FuzzTarget.of("session-token", List.of(token), bytes -> TokenProbe.decode(Bytes.wrap(bytes)))
                        .sealed(CommitTargets::seal),
                FuzzTarget.of("pu-message", List.of(pu, renewed, expires, golden("pu-message.bin")), bytes -> {
                            PuMessage message = PuMessage.decode(Bytes.wrap(bytes), "queue");
                            use(message.records());
                            if (message.ordered() && message.last() < message.first()) {
                                throw new AssertionError("its last number is below its first");
                            }
                            if (!message.encode()
                                    .equals(PuMessage.decode(message.encode(), "again")
                                            .encode())) {
                                throw new AssertionError("it is not what it encodes");
                            }
                        })
                        .sealed(CommitTargets::seal),
                FuzzTarget.of(
                                "atomic-message",
                                List.of(atomic, golden("atomic-message.bin")),
                                bytes -> AtomicMessage.decode(Bytes.wrap(bytes), "queue")
                                        .parts()
                                        .forEach(part -> use(part.records())))
                        .sealed(CommitTargets::seal));
    }

    /** The objects of a commit log, what is handed in to it, and positions in it. */
    private static List<FuzzTarget> logs() {
        byte[] segment = LogProbe.segment(CLIENT, records()).toArray();
        byte[] horizon = LogProbe.horizon(CLIENT).toArray();
        return List.of(
                log("segment", LogProbe::readSegment, segment, golden("segment.bin")),
                log("horizon", LogProbe::readHorizon, horizon, golden("horizon.bin")),
                log("summaries", SummaryProbe::read, SummaryProbe.encoded().toArray()),
                log("log-home", LogProbe::readHome, LogProbe.home().toArray()),
                log(
                        "intake",
                        LogProbe::readIntake,
                        LogProbe.intake(CLIENT, records()).toArray()),
                log("position", PositionProbe::read, PositionProbe.encoded().toArray()));
    }

    private static FuzzTarget log(String name, Consumer<Bytes> read, byte[]... valid) {
        return FuzzTarget.of(name, List.of(valid), bytes -> read.accept(Bytes.wrap(bytes)))
                .sealed(CommitTargets::seal);
    }

    /** The checks that a checkpoint makes before it puts anything. */
    private static void use(List<LogRecord> records) {
        LogRecord.byTree(records);
        for (LogRecord record : records) {
            record.change().stamp().millis();
            if (record.change() instanceof RecordChange.Put put && put.isReference()) {
                OverflowParts.decode(put.payload());
            }
        }
    }

    private static byte[] seal(byte[] bytes) {
        int behind = MESSAGE_CRC_AT + Integer.BYTES;
        if (bytes.length >= behind) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, behind, bytes.length - behind);
            for (int i = 0; i < Integer.BYTES; i++) {
                bytes[MESSAGE_CRC_AT + i] = (byte) (crc.getValue() >>> 8 * i);
            }
        }
        return bytes;
    }

    /** Names of objects and queues, which any program may have created: foreign names are ignored, or refused. */
    private static List<FuzzTarget> names() {
        String id = "0123456789abcdef";
        return List.of(
                FuzzTarget.ofText("client-name", List.of(id), text -> {
                    MemoryObjectStore objects = new MemoryObjectStore();
                    putIfPossible(objects, "clients/" + text, Bytes.EMPTY);
                    InlineTasks tasks = new InlineTasks(1);
                    ServerClock clock = new ServerClock(tasks, Duration.ofMinutes(1));
                    return new ClientRegistry(objects, "clients/", clock, Duration.ofMinutes(1)).list();
                }),
                FuzzTarget.ofText("catalog-name", List.of("people.json"), text -> {
                    MemoryObjectStore objects = new MemoryObjectStore();
                    putIfPossible(objects, "catalog/" + text, Bytes.wrap(golden("catalog-people.json")));
                    Catalog catalog = new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO);
                    catalog.changedMillis();
                    return catalog.list();
                }),
                FuzzTarget.ofText("queue-name", List.of(id + "-p0001", id + "-t", id + "-l" + id), PuQueueId::parse)
                        .refusing(InvalidRequestException.class));
    }

    private static void putIfPossible(MemoryObjectStore objects, String key, Bytes body) {
        try {
            objects.put(key, body, WriteCondition.ALWAYS);
        } catch (InvalidRequestException noKey) {
            // No store has an object of that name.
        }
    }

    private static List<FuzzTarget> keys() {
        List<FuzzTarget> targets = new ArrayList<>();
        targets.add(key(Keys.string(), List.of("", "a", "\u20ac\ud83d\ude00")));
        targets.add(key(Keys.longs(), List.of(0L, -1L, Long.MAX_VALUE)));
        List<BigDecimal> decimals =
                List.of(BigDecimal.ZERO, new BigDecimal("-12.345"), new BigDecimal("1E+2147483646"));
        targets.add(key(Keys.decimals(), decimals));
        targets.add(key(Keys.instants(), List.of(Instant.EPOCH, Instant.MAX)));
        targets.add(key(Keys.uuids(), List.of(new UUID(1, 2))));
        targets.add(key(Keys.descending(Keys.decimals()), decimals));
        targets.add(key(
                Keys.pair(Keys.string(), Keys.pair(Keys.bytes(), Keys.longs())),
                List.of(new Keys.Pair<>("a\0b", new Keys.Pair<>(Bytes.utf8("\0"), 7L)))));
        return targets;
    }

    /** Each key has one form only: whatever is read is written as it was. */
    private static <K> FuzzTarget key(KeyCodec<K> codec, List<K> valid) {
        List<byte[]> bytes =
                valid.stream().map(key -> codec.encode(key).toArray()).toList();
        return FuzzTarget.of("key-" + codec.name(), bytes, read -> {
            if (!codec.encode(codec.decode(Bytes.wrap(read))).equals(Bytes.wrap(read))) {
                throw new AssertionError("another key has these bytes");
            }
        });
    }

    private static List<FuzzTarget> texts() {
        String token = ResumeToken.encode(GOLDEN_TREE, Bytes.utf8("key"));
        List<byte[]> json = Stream.of("{\"a\":[1,2.5,null,{\"b\":\"c\"}]}", "\"text\"", "-1e5", "[[[[]]]]")
                .map(text -> Bytes.utf8(text).toArray())
                .toList();
        return List.of(
                FuzzTarget.ofText(
                                "resume-token",
                                List.of(token),
                                text -> KeyRange.after(ResumeToken.decode(GOLDEN_TREE, text)))
                        .refusing(InvalidRequestException.class),
                FuzzTarget.of(
                        "json-object", json, bytes -> Json.of(Object.class).decode(Bytes.wrap(bytes))),
                FuzzTarget.of("json-record", json, CommitTargets::readRecord),
                FuzzTarget.of("catalog-entry", List.of(golden("catalog-people.json")), bytes -> {
                    MemoryObjectStore objects = new MemoryObjectStore();
                    objects.put("catalog/people.json", Bytes.wrap(bytes), WriteCondition.ALWAYS);
                    new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO)
                            .find("people")
                            .ifPresent(definition -> definition.trees().forEach(TreeId::hex));
                }));
    }

    /** A type of a program. */
    record Example(String name, long number, BigDecimal price, List<Map<String, Integer>> more) {}

    private static void readRecord(byte[] bytes) {
        try {
            Json.of(Example.class).decode(Bytes.wrap(bytes));
        } catch (io.penstock.core.CorruptDataException noExample) {
            // Most of these bytes are not JSON; and valid JSON is not always an Example.
        }
    }
}
