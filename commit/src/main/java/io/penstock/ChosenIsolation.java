package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.engine.Isolation;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordReader;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An isolation at the level that a transaction chose, or that its first collection calls for. For one thread. */
final class ChosenIsolation implements Isolation {
    private final StoreLevel store;
    private final Function<ConsistencyLevel, Isolation> levels;
    private ConsistencyLevel level;

    /** The isolation; null as long as the level is not decided. */
    private @Nullable Isolation isolation;

    /**
     * @param chosen null: the store's level, or the first collection's
     * @param levels makes an isolation of a level
     */
    ChosenIsolation(StoreLevel store, @Nullable ConsistencyLevel chosen, Function<ConsistencyLevel, Isolation> levels) {
        this.store = store;
        this.levels = levels;
        this.level = chosen == null ? store.level() : chosen;
        if (chosen != null || !store.followsCollections()) {
            decide(level);
        }
    }

    private Isolation decide(ConsistencyLevel decided) {
        store.requireServed(decided);
        level = decided;
        Isolation made = levels.apply(decided);
        isolation = made;
        return made;
    }

    private Isolation decided() {
        if (isolation == null) {
            throw new IllegalStateException("no collection was entered");
        }
        return isolation;
    }

    ConsistencyLevel level() {
        return level;
    }

    /** @throws InvalidRequestException when this promises less than a level */
    void require(ConsistencyLevel least) {
        if (isolation == null) {
            decide(least.compareTo(level) < 0 ? level : least);
        }
        if (level.compareTo(least) < 0) {
            throw new InvalidRequestException(
                    ErrorCode.TRANSACTION_MISUSE,
                    "a part of a transaction asks for more than the transaction around it promises; run that one at the"
                            + " higher level, or begin another one for the part",
                    "level",
                    level,
                    "wanted",
                    least);
        }
    }

    @Override
    public void enter(CollectionDefinition collection, boolean writes) {
        Isolation used = isolation == null ? decide(store.of(collection)) : isolation;
        used.enter(collection, writes);
    }

    @Override
    public RecordReader reader() {
        return decided().reader();
    }

    @Override
    public void guard(TreeId tree, KeyRange range) {
        decided().guard(tree, range);
    }

    @Override
    public void confirm() {
        if (isolation != null) {
            isolation.confirm();
        }
    }

    @Override
    public Stamp commit(WriteSet writes) {
        return isolation == null ? Stamp.ZERO : isolation.commit(writes);
    }

    @Override
    public void close() {
        if (isolation != null) {
            isolation.close();
        }
    }
}
