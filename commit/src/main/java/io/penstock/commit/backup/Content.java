package io.penstock.commit.backup;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.overflow.OverflowStore;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** The content of a store at one moment: of a backup, or of a store in use. */
interface Content {
    List<CollectionDefinition> collections();

    /** Gives all ranges of all trees, several at a time. */
    void ranges(Consumer<Chunk> to);

    /** Gives the transactions that ranges may lack, domain by domain, in the order of their log; after all ranges. */
    void transactions(Consumer<LogPart.Transaction> to);

    /** The large payloads. */
    OverflowStore payloads();

    /**
     * Ends the reading.
     *
     * @param missing the records whose large payloads were not there
     * @throws io.penstock.core.CorruptDataException when one of these was lost
     * @throws io.penstock.core.ConflictException when what was read is of no one moment: read it again
     */
    void end(Collection<LogRecord> missing);
}
