package io.penstock.commit.simulation.surface;

import io.penstock.CoveringIndex;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store handle of one machine, with its declarations of the collections: {@code a}, which may have indexes, {@code
 * b}, which has none, {@code n}, which has counters, and {@code e}, whose values have keys and versions.
 */
final class Handle {
    final Machine machine;
    final Penstock store;
    final RecordCollection<String, String> a;
    final RecordCollection<String, String> b;
    final RecordCollection<String, Long> n;
    final RecordCollection<String, String> e;
    final @Nullable Index<String, String, String> byGroup;
    final @Nullable Index<String, String, String> byUnique;
    final @Nullable CoveringIndex<String, String, String, String> covering;

    /** @param number of the handle: the first may know no added index; below 0, as the collections were made */
    Handle(Machine machine, Penstock store, Drawn drawn, Calls calls, int number) {
        this(machine, store, drawn, calls, number, Masters.codec(drawn, number));
    }

    /** @param codec of {@code a} */
    Handle(Machine machine, Penstock store, Drawn drawn, Calls calls, int number, PayloadCodec<String> codec) {
        calls.called("Penstock.collection(String,KeyCodec,PayloadCodec)");
        calls.called("RecordCollection.inDomain(String)");
        this.machine = machine;
        this.store = store;
        if (drawn.has(Feature.SEALED)) {
            calls.called("PayloadCodec.sealed(MasterKeys,String)");
        }
        this.a = store.collection("a", Keys.string(), codec).inDomain("main");
        this.b = store.collection("b", Keys.string(), Item.CODEC).inDomain("main");
        this.n = store.collection("n", Keys.string(), Json.of(Long.class)).inDomain("main");
        this.e = store.collection("e", Keys.string(), Item.CODEC).inDomain("main");
        if (drawn.has(Feature.VERSIONS)) {
            calls.called("RecordCollection.keyedBy(Function)");
            calls.called("RecordCollection.versioned(ToLongFunction,BiFunction)");
            e.keyedBy(Item::key).versioned(Item::version, Item::withVersion);
        }
        if (drawn.has(Feature.QUERIES)) {
            calls.called("RecordCollection.declare(Fields)");
            a.declare(Item.FIELDS);
            b.declare(Item.FIELDS);
        }
        boolean undeclared = drawn.has(Feature.UNDECLARED) && number == 0;
        boolean added = drawn.has(Feature.INDEX_ADDED) && number >= 0 && !undeclared;
        boolean indexed = drawn.has(Feature.INDEX_MADE) || added;
        if (indexed) {
            calls.called("RecordCollection.index(String,KeyCodec,Function)");
        }
        this.byGroup = indexed ? a.index("by-group", Keys.string(), Item.GROUP) : null;
        Index<String, String, String> index = byGroup;
        this.covering = index != null && drawn.has(Feature.COVERING) && (number % 2 == 1 || drawn.handles() == 1)
                ? index.including("id", codec, Item::id)
                : null;
        if (covering != null) {
            calls.called("Index.including(String,PayloadCodec,Function)");
        }
        if (index != null && covering == null && drawn.has(Feature.COVERING) && drawn.has(Feature.QUERIES)) {
            calls.called("Index.including(String,ValueField[])");
            var unused = index.including("fields", Item.GROUP, Item.ID);
        }
        boolean isUnique = drawn.has(Feature.UNIQUE) && (added || !drawn.has(Feature.INDEX_ADDED));
        if (isUnique) {
            calls.called("Index.unique()");
        }
        this.byUnique =
                isUnique ? a.index("by-unique", Keys.string(), Item::unique).unique() : null;
    }

    RecordCollection<String, String> records(String name) {
        return name.equals("a") ? a : b;
    }

    /** Those with values, as far as they are used. */
    List<RecordCollection<String, String>> all(Drawn drawn) {
        return drawn.has(Feature.VERSIONS) ? List.of(a, b, e) : List.of(a, b);
    }
}
