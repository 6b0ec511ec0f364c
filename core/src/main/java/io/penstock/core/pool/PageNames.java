package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys of pages' objects: {@code <prefix>pages/<tree>/<page>}; and of the marks of trees that have a root: {@code
 * <prefix>roots/<tree>}.
 */
public final class PageNames {
    private static final String PAGES = "pages/";

    private static final String ROOTS = "roots/";
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

    static String roots(String prefix) {
        return prefix + ROOTS;
    }

    static String root(String prefix, TreeId tree) {
        return roots(prefix) + tree.hex();
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
