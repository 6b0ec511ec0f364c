package io.penstock.commit.simulation;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.StoredObject;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
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
 * A watch over all pages and their links, whatever any client has seen of them. After each put and each delete it
 * checks that every page that can be reached from the root of its tree exists, and which pages cannot be reached.
 */
final class PageWatch implements CallWatcher {
    private static final String PAGES = "penstock/pages/";
    private static final int HEX_LONG = 16;

    private final SimulatedCloud cloud;
    private final boolean watching;
    private final Map<PageId, Links> links = new TreeMap<>();
    private final Set<PageId> ledgers = new TreeSet<>();
    private final Set<String> missing = new TreeSet<>();

    /**
     * The links of a page.
     *
     * @param retired whether its right sibling counts only as long as the page itself is part of its level
     */
    private record Links(List<PageId> children, @Nullable PageId right, boolean retired) {
        static final Links NONE = new Links(List.of(), null, false);
    }

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
        Links before = links.get(id);
        Optional<StoredObject> newest = cloud.newest(on);
        if (newest.isPresent()) {
            links.put(id, named(StoredPage.decode(newest.get().body(), id, on)));
        } else {
            links.remove(id);
        }
        if (!links.getOrDefault(id, Links.NONE).equals(before)) {
            reachable(id.tree());
        }
    }

    /** The page whose object has that key. */
    static PageId pageAt(String key) {
        int slash = key.lastIndexOf('/');
        TreeId tree = TreeId.fromHex(key.substring(slash - HEX_LONG, slash));
        return new PageId(tree, Long.parseUnsignedLong(key.substring(slash + 1), HEX_LONG));
    }

    private Links named(PageImage page) {
        if (page.header().kind() == PageKind.LEDGER) {
            ledgers.add(page.id());
            return Links.NONE;
        }
        TreeId tree = page.id().tree();
        List<PageId> children = new ArrayList<>();
        for (int i = 0; i < page.count() && !page.isLeaf(); i++) {
            children.add(new PageId(tree, page.child(i)));
        }
        long right = page.header().right();
        return new Links(children, right == PageId.NONE ? null : new PageId(tree, right), page.isRetired());
    }

    /** The pages that the root leads to now. Notes those that do not exist. */
    private Set<PageId> reachable(TreeId tree) {
        Reach reach = new Reach();
        PageId root = PageId.root(tree);
        if (links.containsKey(root)) {
            reach.name(root, root);
        }
        while (!reach.open.isEmpty()) {
            PageId page = reach.open.poll();
            Links named = links.getOrDefault(page, Links.NONE);
            named.children.forEach(child -> reach.name(page, child));
            if (!named.retired) {
                reach.chain(page, named.right);
            }
        }
        return reach.seen;
    }

    private final class Reach {
        final Set<PageId> seen = new TreeSet<>();
        final Deque<PageId> open = new ArrayDeque<>();

        void name(PageId from, PageId page) {
            if (!links.containsKey(page)) {
                missing.add(from + " names " + page + ", which is not there");
            } else if (seen.add(page)) {
                open.add(page);
            }
        }

        void chain(PageId from, @Nullable PageId first) {
            PageId page = first;
            while (page != null) {
                name(from, page);
                Links named = links.getOrDefault(page, Links.NONE);
                page = named.retired ? named.right : null;
            }
        }
    }
}
