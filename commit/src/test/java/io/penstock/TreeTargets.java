package io.penstock;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeCheck;
import io.penstock.btree.TreeCompaction;
import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeLoader;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.memory.Workspace;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.testing.FuzzTarget;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Whole trees of pages with valid checksums, whose edges, kinds and keys are drawn from the bytes: every operation ends
 * within a bounded number of steps, with an answer or {@link CorruptDataException}.
 */
public final class TreeTargets {
    /** Far more than any operation on so few pages needs. */
    private static final int CALLS_MAX = 20_000;

    private static final int RECORDS_MAX = 1_000;
    private static final int SEEDS = 16;

    /** Each tree is read and written by some ten clients of its own. */
    private static final int BYTES_PER_BYTE = 1 << 20;

    private TreeTargets() {}

    public static List<FuzzTarget> all() {
        List<byte[]> valid = LongStream.range(0, SEEDS)
                .mapToObj(seed -> {
                    byte[] bytes = new byte[160];
                    new SplittableRandom(seed).nextBytes(bytes);
                    return bytes;
                })
                .toList();
        return List.of(FuzzTarget.of("tree", valid, TreeTargets::use).allocating(BYTES_PER_BYTE));
    }

    private static void use(byte[] bytes) {
        MemoryObjectStore store = new DrawnTree(bytes).store();
        List<Use> uses = List.of(
                Client::find,
                client -> client.scan(Direction.ASCENDING),
                client -> client.scan(Direction.DESCENDING),
                Client::refresh,
                Client::apply,
                client -> TreeCheck.run(client.pages, DrawnTree.TREE, Workspace.standard(client.tasks)),
                client -> client.garbage().walk(page -> {}, number -> {}),
                client -> client.garbage().judge(DrawnTree.numbers(), List.of()),
                client -> client.garbage().remove(DrawnTree.numbers(), List.of(3L)),
                Client::compact,
                Client::load);
        for (Use use : uses) {
            try {
                use.by(new Client(store.copy()));
            } catch (CorruptDataException | InvalidRequestException refused) {
                // That is an answer.
            }
        }
    }

    @FunctionalInterface
    private interface Use {
        void by(Client client);
    }

    /** One client with a pool of its own. */
    private static final class Client {
        private static final TreeSettings SETTINGS = TreeSettings.DEFAULT.withPageBytes(512);

        private final InlineTasks tasks = new InlineTasks(1);
        private final PageManager pages;
        private final BLinkTree tree;
        private final RecordManager records;

        Client(MemoryObjectStore store) {
            store.setHook(new MemoryObjectStore.Hook() {
                private int calls;

                @Override
                public void before(MemoryObjectStore.Call call, String key) {
                    if (++calls > CALLS_MAX) {
                        throw new AssertionError("an operation does not end");
                    }
                }
            });
            pages = new PageManager(store, new BufferPool(64 << 10, Duration.ofHours(1)), tasks, DrawnTree.PREFIX);
            tree = new BLinkTree(pages, DrawnTree.TREE, 2);
            records = new RecordManager(tree, tasks, 2);
        }

        private TreeGarbage garbage() {
            return new TreeGarbage(pages, DrawnTree.TREE, SETTINGS, Workspace.standard(tasks));
        }

        private void find() {
            for (int key = 0; key <= DrawnTree.KEYS; key++) {
                try {
                    var unused = records.find(DrawnTree.key(key));
                } catch (CorruptDataException damaged) {
                    // The other keys may be readable.
                }
            }
        }

        private void scan(Direction direction) {
            try (RecordCursor scan = records.cursor(KeyRange.all(), direction)) {
                for (int i = 0; scan.advance(); i++) {
                    if (i > RECORDS_MAX) {
                        throw new AssertionError("a scan does not end");
                    }
                }
            }
        }

        private void refresh() {
            tree.refresh(DrawnTree.key(3));
            tree.countLeaves();
        }

        private void apply() {
            List<RecordChange> changes = new ArrayList<>();
            for (int key = 0; key <= DrawnTree.KEYS; key++) {
                Stamp stamp = new Stamp(tasks.nowMillis() << Stamp.COUNTER_BITS, new ClientId(1));
                changes.add(
                        key % 3 == 0
                                ? new RecordChange.Delete(DrawnTree.key(key), stamp)
                                : new RecordChange.Put(DrawnTree.key(key), Bytes.wrap(new byte[60]), stamp));
            }
            new TreeWriter(pages, DrawnTree.TREE, SETTINGS, tasks).apply(changes);
        }

        private void compact() {
            new TreeCompaction(pages, DrawnTree.TREE, SETTINGS, Workspace.standard(tasks), TreeCompaction.Choices.USUAL)
                    .run();
        }

        private void load() {
            TreeLoader loader = new TreeLoader(pages, DrawnTree.TREE, SETTINGS, tasks, 90);
            for (int key = 0; key < DrawnTree.KEYS; key++) {
                loader.add(DrawnTree.key(key), Bytes.wrap(new byte[60]), false, new Stamp(1, new ClientId(1)));
            }
            loader.finish();
        }
    }
}
