package io.penstock.commit.inspect;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import java.util.ArrayList;
import java.util.List;

/** A readable description of one page: its header, its content and, on demand, each entry without its payload. */
public final class PageDescription {
    private final PageFrame frame;
    private final PageImage image;
    private final boolean keys;

    private PageDescription(PageFrame frame, boolean keys) {
        this.frame = frame;
        this.image = frame.image();
        this.keys = keys;
    }

    /** @param keys whether keys are shown, with a line for each entry; payloads are never shown */
    public static List<String> of(PageFrame frame, boolean keys) {
        return new PageDescription(frame, keys).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>(headerLines());
        switch (image.header().kind()) {
            case LEAF, RETIRED -> lines.addAll(leafLines());
            case INNER -> lines.addAll(innerLines());
            case LEDGER -> lines.add("ledger bytes=" + image.body().length());
        }
        return lines;
    }

    private List<String> headerLines() {
        PageHeader header = image.header();
        Bytes high = header.highKey();
        String highText = high == null ? "none" : keys ? TextFormat.key(high) : high.length() + " bytes";
        return List.of(
                "page " + TextFormat.page(header.id().number()) + " of tree "
                        + header.id().tree().hex(),
                "kind=" + header.kind() + " level=" + header.level() + " bytes="
                        + image.bytes().length() + " version=" + header.version() + " writeId="
                        + TextFormat.page(header.writeId()),
                "object version=" + frame.version().tag(),
                "right=" + TextFormat.page(header.right()) + " high key=" + highText,
                "origin=" + TextFormat.page(header.origin().page()) + " at version "
                        + header.origin().version(),
                "checkpoint=" + TextFormat.time(header.checkpointMillis()) + " extension bytes="
                        + header.extension().length());
    }

    private List<String> leafLines() {
        int tombstones = 0;
        long payloadBytes = 0;
        Stamp oldest = null;
        Stamp newest = null;
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < image.count(); i++) {
            Stamp stamp = image.stamp(i);
            boolean tombstone = image.isTombstone(i);
            tombstones += tombstone ? 1 : 0;
            payloadBytes += image.payload(i).length();
            oldest = oldest == null || oldest.isAfter(stamp) ? stamp : oldest;
            newest = newest == null || stamp.isAfter(newest) ? stamp : newest;
            if (keys) {
                String what = tombstone
                        ? "deleted"
                        : "payload bytes=" + image.payload(i).length();
                entries.add(i + " key=" + TextFormat.key(image.key(i)) + " " + what + " stamp=" + stamp + " "
                        + TextFormat.time(stamp.millis()) + expiry(image.expiryMillis(i)));
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("entries=" + image.count() + " tombstones=" + tombstones + " payload bytes=" + payloadBytes);
        if (oldest != null && newest != null) {
            lines.add("oldest=" + TextFormat.time(oldest.millis()) + " newest=" + TextFormat.time(newest.millis()));
        }
        lines.addAll(entries);
        return lines;
    }

    private static String expiry(long millis) {
        return millis == Expiry.NEVER ? "" : " expires=" + TextFormat.time(millis);
    }

    private List<String> innerLines() {
        List<String> lines = new ArrayList<>();
        lines.add("children=" + image.count());
        for (int i = 0; keys && i < image.count(); i++) {
            lines.add(i + " child=" + TextFormat.page(image.child(i)) + " from=" + TextFormat.key(image.key(i)));
        }
        return lines;
    }
}
