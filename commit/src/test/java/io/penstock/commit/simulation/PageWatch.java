package io.penstock.commit.simulation;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.StoredObject;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.sim.CallWatcher;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.SimulatedCloud;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Knows at any time which pages there are and what they name, whatever any client has seen of it: is every page there
 * that can be reached from the root of its tree, after each put and each delete? And which ones can not be reached?
 */
final class PageWatch implements CallWatcher {
    private static final String PAGES = "penstock/pages/";
    private static final int HEX_LONG = 16;

    private final SimulatedCloud cloud;
    private final boolean watching;
    private final Map<PageId, List<PageId>> links = new TreeMap<>();
    private final Set<PageId> ledgers = new TreeSet<>();
    private final Set<String> missing = new TreeSet<>();

    PageWatch(SimulatedCloud cloud, boolean watching) {
        this.cloud = cloud;
        this.watching = watching;
    }

    boolean isWatching() {
        return watching;
    }

    /** Pages that were named and not there, at some time. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** Pages that are there and that no tree has. */
    List<String> orphans() {
        Set<PageId> orphans = new TreeSet<>(links.keySet());
        orphans.removeAll(ledgers);
        links.keySet().stream().filter(PageId::isRoot).forEach(root -> orphans.removeAll(reachable(root.tree())));
        return orphans.stream().map(page -> page + " is in no tree").toList();
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        boolean changes = call.equals("put") || call.equals("delete");
        if (!watching || step != Step.DONE || !changes || !on.startsWith(PAGES)) {
            return;
        }
        PageId id = pageAt(on);
        List<PageId> before = links.get(id);
        Optional<StoredObject> newest = cloud.newest(on);
        if (newest.isPresent()) {
            links.put(id, named(PageImage.decode(newest.get().body(), id, on)));
        } else {
            links.remove(id);
        }
        if (!links.getOrDefault(id, List.of()).equals(before)) {
            reachable(id.tree());
        }
    }

    private static PageId pageAt(String key) {
        int slash = key.lastIndexOf('/');
        TreeId tree = TreeId.fromHex(key.substring(slash - HEX_LONG, slash));
        return new PageId(tree, Long.parseUnsignedLong(key.substring(slash + 1), HEX_LONG));
    }

    private List<PageId> named(PageImage page) {
        List<PageId> named = new ArrayList<>();
        if (page.header().kind() == PageKind.LEDGER) {
            ledgers.add(page.id());
            return named;
        }
        if (page.header().right() != PageId.NONE) {
            named.add(new PageId(page.id().tree(), page.header().right()));
        }
        for (int i = 0; i < page.count() && !page.isLeaf(); i++) {
            named.add(new PageId(page.id().tree(), page.child(i)));
        }
        return named;
    }

    /** What the root leads to now; notes what is named and not there. */
    private Set<PageId> reachable(TreeId tree) {
        Set<PageId> seen = new TreeSet<>();
        Deque<PageId> open = new ArrayDeque<>();
        PageId root = PageId.root(tree);
        if (links.containsKey(root)) {
            seen.add(root);
            open.add(root);
        }
        while (!open.isEmpty()) {
            PageId page = open.poll();
            for (PageId next : links.getOrDefault(page, List.of())) {
                if (!links.containsKey(next)) {
                    missing.add(page + " names " + next + ", which is not there");
                } else if (seen.add(next)) {
                    open.add(next);
                }
            }
        }
        return seen;
    }
}
