package io.penstock.commit.checkpoint;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A reader of ledgers as they are in the object store, for checks behind the front door. */
public final class LedgerProbe {
    private static final int HEX_LONG = 16;

    private LedgerProbe() {}

    /** The body of a ledger page: of {@code client} the numbers 1 to 3 and 6 to 9 were applied. */
    public static Bytes example(ClientId client) {
        Ledger.Progress progress =
                Ledger.Progress.NONE.with(1, 3, 1_700_000_000_000L).with(6, 9, 1_700_000_000_001L);
        return Ledger.EMPTY.with(client, progress).encode();
    }

    /** Whether the body of a ledger page says that these numbers were applied. */
    public static boolean covers(Bytes body, ClientId client, long first, long last) {
        return Ledger.decode(body, "ledger").covers(client, first, last);
    }

    /** Reads the body of a ledger page, as a checkpoint does, and writes it again. */
    public static void use(Bytes body) {
        Ledger ledger = Ledger.decode(body, "ledger");
        ledger.describe();
        for (ClientId client : ledger.idleSince(Long.MAX_VALUE)) {
            Ledger.Progress progress = ledger.of(client);
            if (progress.highest() < 0 || !progress.covers(1, 0)) {
                throw new AssertionError("numbers begin at 1");
            }
            ledger.with(client, progress.with(1, 2, 0)).encode();
        }
        if (!Ledger.decode(ledger.encode(), "ledger").equals(ledger)) {
            throw new AssertionError("it came back as another");
        }
    }

    /** The holes of each client in a page, if it is a ledger; empty otherwise. */
    public static Map<ClientId, List<String>> holes(Bytes page, String key) {
        int slash = key.lastIndexOf('/');
        TreeId tree = TreeId.fromHex(key.substring(slash - HEX_LONG, slash));
        PageId id = new PageId(tree, Long.parseUnsignedLong(key.substring(slash + 1), HEX_LONG));
        PageImage image = StoredPage.decode(page, id, key);
        if (image.header().kind() != PageKind.LEDGER) {
            return Map.of();
        }
        Ledger ledger = Ledger.decode(image.body(), key);
        Map<ClientId, List<String>> holes = new TreeMap<>();
        for (ClientId client : ledger.idleSince(Long.MAX_VALUE)) {
            holes.put(
                    client,
                    ledger.of(client).holes().stream().map(Object::toString).toList());
        }
        return holes;
    }
}
