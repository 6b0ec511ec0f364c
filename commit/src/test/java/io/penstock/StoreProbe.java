package io.penstock;

import io.penstock.btree.TreeCheck;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.engine.Engine;
import io.penstock.commit.settings.Servers;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PageTier;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.CompactionReport;
import java.util.ArrayList;
import java.util.List;

/**
 * A look behind the front door: what an open store keeps in memory, for checks of its bounds; a tier that is no disk.
 */
public final class StoreProbe {
    /** Collections that are looked at at a time. */
    private static final int WIDTH = 8;

    private StoreProbe() {}

    /** Bounds that are exceeded, a line each. */
    public static List<String> excess(RecordCollection<?, ?> of) {
        BufferPool pool = of.store().engine().foreground().pages().pool();
        List<String> lines = new ArrayList<>();
        long bytesMax = pool.bytesMax();
        if (pool.stats().bytes() > bytesMax) {
            lines.add("the pool holds " + pool.stats().bytes() + " bytes of at most " + bytesMax);
        }
        return lines;
    }

    /** The faults of a store's trees and of their definitions, a line each. */
    public static List<String> faults(Penstock store) {
        Engine engine = store.engine();
        Catalog catalog = engine.trees().catalog();
        PageManager pages = engine.background().pages();
        return engine.memory().lend(room -> {
            Workspace part = room.part(WIDTH);
            List<String> lines = new ArrayList<>();
            Parallel.map(room.tasks(), WIDTH, catalog.list(), definition -> faults(pages, part, definition))
                    .forEach(lines::addAll);
            catalog.unreadable().forEach((name, why) -> lines.add(name + " is unreadable: " + why));
            return lines;
        });
    }

    private static List<String> faults(PageManager pages, Workspace room, CollectionDefinition definition) {
        return definition
                .trees()
                .flatMap(tree -> TreeCheck.run(pages, tree, room).violations().stream())
                .map(violation -> definition.name() + " " + violation)
                .toList();
    }

    /** Compacts as {@link Admin#compact}, but merges leaves that are fuller. */
    public static CompactionReport compact(Penstock store, int joinedPercentMax) {
        return store.admin().compact(joinedPercentMax);
    }

    /** The bytes that callers wait to have sent: 0 when there is no commit under way. */
    public static long sendingBytes(RecordCollection<?, ?> of) {
        return of.store().engine().protocols().sendingBytes();
    }

    /** Committed ATOMIC transactions that are in no PU queue yet. */
    public static int unforwarded(Penstock store) {
        return store.engine().protocols().forwarder().unforwarded();
    }

    /** Lets the client delete from its ATOMIC queue when so many transactions are forwarded. */
    public static void drainAt(Penstock store, int transactions) {
        store.engine().protocols().forwarder().drainAt(transactions);
    }

    /** The same settings with a second level of the pool. */
    public static Settings withTier(Settings settings, PageTier tier) {
        return settings.pageTier(tasks -> tier);
    }

    /** The settings of a store on servers that only one process can reach, as a directory. */
    public static Settings exclusive(ObjectStore objects, QueueService queues, Tasks tasks) {
        return new Settings(new Servers.Given(objects, queues, tasks, Servers.Sharing.NOBODY));
    }

    /** The same settings, with heartbeats as rare as a test wants them. */
    public static Settings withAnyHeartbeat(Settings settings) {
        return settings.anyHeartbeat();
    }

    /** Whether a session of the store reads its own writes at this level. */
    public static boolean keepsSession(Penstock store, ConsistencyLevel level) {
        return switch (level) {
            case NAIVE, BASIC -> false;
            case MONOTONIC, ATOMIC, SNAPSHOT, SERIALIZABLE -> true;
        };
    }

    /** The tree that holds the records of a collection. */
    public static TreeId tree(RecordCollection<?, ?> of) {
        return of.tree();
    }

    /** Committed transactions that are kept until pages are sure to show them, over all sessions. */
    public static int unapplied(RecordCollection<?, ?> of) {
        return of.store().engine().overlays().transactions();
    }
}
