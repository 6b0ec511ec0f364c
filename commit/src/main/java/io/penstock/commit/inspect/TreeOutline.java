package io.penstock.commit.inspect;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A readable outline of a tree from the root down, one line for each page, along the sibling links of each level. It
 * reads past the buffer pool.
 */
public final class TreeOutline {
    private final PageManager pages;
    private final TreeId tree;
    private final int pagesMax;
    private final List<String> lines = new ArrayList<>();

    private TreeOutline(PageManager pages, TreeId tree, int pagesMax) {
        this.pages = pages;
        this.tree = tree;
        this.pagesMax = pagesMax;
    }

    /**
     * Outlines a tree.
     *
     * @param pagesMax the most pages to show of each level
     * @throws io.penstock.core.CorruptDataException at a page that cannot be read
     */
    public static List<String> of(PageManager pages, TreeId tree, int pagesMax) {
        return new TreeOutline(pages, tree, pagesMax).outline();
    }

    private List<String> outline() {
        long first = PageId.ROOT;
        while (first != PageId.NONE) {
            first = level(first);
        }
        if (lines.isEmpty()) {
            lines.add("no pages yet: nothing was applied");
        }
        return lines;
    }

    /** Outlines the level that begins with {@code first}, and returns the first page of the level below. */
    private long level(long first) {
        long below = PageId.NONE;
        long number = first;
        for (int shown = 0; number != PageId.NONE; shown++) {
            if (shown == pagesMax) {
                lines.add("  … and more pages of this level");
                return below;
            }
            Optional<PageFrame> read = pages.read(new PageId(tree, number));
            if (read.isEmpty()) {
                // A tree without a root is empty; a page that is missing elsewhere is reported, not thrown.
                lines.addAll(
                        number == PageId.ROOT
                                ? List.of()
                                : List.of("  page " + TextFormat.page(number) + " is missing"));
                return below;
            }
            PageImage image = read.get().image();
            if (shown == 0) {
                lines.add("level " + image.level());
                below = image.isLeaf() || image.count() == 0 ? PageId.NONE : image.child(0);
            }
            lines.add("  page " + TextFormat.page(number) + " version=" + image.version() + " entries=" + image.count()
                    + " bytes=" + image.bytes().length() + " right="
                    + TextFormat.page(image.header().right()));
            number = image.header().right();
        }
        return below;
    }
}
