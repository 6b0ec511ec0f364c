package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** The keys of pages' objects: {@code <prefix>pages/<tree>/<page>}. */
public final class PageNames {
    private static final String PAGES = "pages/";

    /** The name of a tree's mark, which lists it before all pages. */
    private static final String MARK = "-root";

    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}/[0-9a-f]{16}");

    private PageNames() {}

    static String all(String prefix) {
        return prefix + PAGES;
    }

    static String ofTree(String prefix, TreeId tree) {
        return all(prefix) + tree.hex() + "/";
    }

    static String key(String prefix, PageId id) {
        return ofTree(prefix, id.tree()) + id.hex();
    }

    static String mark(String prefix, TreeId tree) {
        return ofTree(prefix, tree) + MARK;
    }

    /** The tree of which this is the key of the mark; empty when it is none. */
    static Optional<TreeId> marked(String prefix, String key) {
        return key.endsWith(MARK)
                ? at(prefix, key.substring(0, key.length() - MARK.length()) + PageId.root(new TreeId(0)).hex())
                        .map(PageId::tree)
                : Optional.empty();
    }

    /** The page whose object has this key; empty when it is not a page's key. */
    public static Optional<PageId> at(String prefix, String key) {
        String name = key.startsWith(all(prefix)) ? key.substring(all(prefix).length()) : "";
        return NAME.matcher(name).matches()
                ? Optional.of(new PageId(
                        TreeId.fromHex(name.substring(0, 16)), HexFormat.fromHexDigitsToLong(name.substring(17))))
                : Optional.empty();
    }
}
