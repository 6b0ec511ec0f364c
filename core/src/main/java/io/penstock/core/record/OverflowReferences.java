package io.penstock.core.record;

import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.PageImage;
import java.util.ArrayList;
import java.util.List;

/** The overflow objects that a leaf names, for garbage collection and verification. Pure. */
public final class OverflowReferences {
    private OverflowReferences() {}

    /** The references of a leaf, in the order of its keys. */
    public static List<OverflowReference> of(PageImage leaf) {
        List<OverflowReference> references = new ArrayList<>();
        for (int i = 0; i < leaf.count(); i++) {
            if (leaf.isReference(i)) {
                references.addAll(OverflowParts.decode(leaf.payload(i)).objects());
            }
        }
        return references;
    }
}
