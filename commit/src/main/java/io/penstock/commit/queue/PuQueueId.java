package io.penstock.commit.queue;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a PU queue: a tree, and which of its queues.
 *
 * @param part {@code p} and four hexadecimal digits: a partition; {@code t}: the tree's queue; {@code l} and 16
 *     hexadecimal digits: the queue of a leaf
 */
public record PuQueueId(TreeId tree, String part) implements Comparable<PuQueueId> {
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})-(p[0-9a-f]{4}|t|l[0-9a-f]{16})");

    public static PuQueueId partition(TreeId tree, int number) {
        return new PuQueueId(tree, String.format(Locale.ROOT, "p%04x", number));
    }

    public static PuQueueId ofTree(TreeId tree) {
        return new PuQueueId(tree, "t");
    }

    public static PuQueueId ofLeaf(PageId leaf) {
        return new PuQueueId(leaf.tree(), "l" + leaf.hex());
    }

    /** The part of a queue's name that distinguishes the PU queues of a store. */
    public String name() {
        return tree.hex() + "-" + part;
    }

    public static PuQueueId parse(String name) {
        return find(name)
                .orElseThrow(() -> new InvalidRequestException(
                        "this is no PU queue of a store; check the queue prefix", "queue", name));
    }

    /** The PU queue of this name; empty when it is no such name. */
    static Optional<PuQueueId> find(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? Optional.of(new PuQueueId(TreeId.fromHex(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /**
     * The home page, which holds the queue's ledger. Its number is a hash (FNV-1a, 64 bits) of the part, so that every
     * client knows it. The page shares the number space of the tree's pages. A collision there would be refused because
     * of the page's kind.
     */
    public PageId homePage() {
        return new PageId(tree, TreeId.hashOf(part));
    }

    @Override
    public int compareTo(PuQueueId other) {
        int byTree = tree.compareTo(other.tree);
        return byTree != 0 ? byTree : part.compareTo(other.part);
    }

    @Override
    public String toString() {
        return name();
    }
}
