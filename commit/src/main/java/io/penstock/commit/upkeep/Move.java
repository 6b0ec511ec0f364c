package io.penstock.commit.upkeep;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.upkeep.Maintenance.Drained;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.page.PageImage;
import io.penstock.report.MoveProgress;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way of a collection into a domain, or out of it. Its definition says so first, and each client stops writing when
 * it has learnt that. Then what was committed before is brought to pages, and the definition says where the collection
 * is. All state is in the definition: after a crash repeat it, or go the other way. Safe for use by many threads.
 */
public record Move(CollectionParts parts, Maintenance upkeep) {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** The longest that a drain may take; then it is to be repeated. */
    private static final Duration DRAIN_MAX = Duration.ofHours(1);

    /** The time after which a queue's count has noticed what happened to its messages. */
    private static final Duration COUNT_LAG = Duration.ofMinutes(1);

    private static final int FENCES_MAX = 10;

    /** Moves a collection into a domain. */
    public void into(String collection, String domain, Consumer<MoveProgress> progress) {
        CollectionDefinition before = begin(collection);
        if (before.domain() != null && !before.domain().equals(domain)) {
            throw refusal("the collection belongs to another domain; move it out first", before);
        }
        if (domain.equals(before.domain()) && !before.isArriving()) {
            turn(before, domain, null); // there already, or on its way out, which ends
            return;
        }
        CollectionDefinition marked = turn(before, domain, CollectionDefinition.IN);
        awaitNotice(progress);
        drain(marked, progress);
        parts.indexing().endLoads(marked);
        upkeep.forEachKept(records -> parts.indexing().endReplays(marked, records));
        long since = fenceAboveAll(marked, domain, progress);
        turn(marked.since(since), domain, null);
    }

    /** Moves a collection out of its domain. */
    public void out(String collection, Consumer<MoveProgress> progress) {
        CollectionDefinition before = begin(collection);
        String domain = before.domain();
        if (domain == null || before.isArriving()) {
            turn(before, null, null); // there already, or on its way in, which ends
            return;
        }
        CollectionDefinition marked = turn(before, domain, CollectionDefinition.OUT);
        progress.accept(new MoveProgress("apply the commit log", 0));
        var unused = upkeep.logs().fence(domain, id(), marked.treeId());
        Stamp newest = upkeep.logs().domain(domain).tail().tipStamp();
        long latest = upkeep.membership().serverClock().nowMillis()
                + parts.settings().limits().clockSkewMax().toMillis();
        if (newest.millis() > latest) {
            throw new UnavailableException(
                    ErrorCode.CLOCK_SKEW,
                    "the stamps of the commit log are ahead of the servers' time, so later writes would lose; repeat it"
                            + " then, or move the collection back in",
                    "collection",
                    collection,
                    "aheadMillis",
                    newest.millis() - latest);
        }
        // Who has read it by the log reads pages from then on, that were checked after all was there.
        parts.tasks().sleep(parts.settings().limits().ttl().plus(PAUSE));
        // Nobody writes before all clients know that it has left; transactions that have read it before meet the fence.
        CollectionDefinition left = turn(marked, domain, CollectionDefinition.LEFT);
        awaitNotice(progress);
        upkeep.logs().fence(domain, id(), left.treeId());
        parts.indexing().provision().accept(turn(left, null, null));
    }

    private CollectionDefinition begin(String collection) {
        parts.handle().requireWritable();
        upkeep.membership().serverClock().requireKnownInStep();
        upkeep.membership().join();
        return parts.catalog().require(collection);
    }

    private static InvalidRequestException refusal(String why, CollectionDefinition definition) {
        return new InvalidRequestException(
                ErrorCode.DOMAIN_MISMATCH,
                why,
                "collection",
                definition.name(),
                "domain",
                String.valueOf(definition.domain()));
    }

    /** Writes into the definition where the collection is, or that it is on its way, unless others have changed it. */
    private CollectionDefinition turn(CollectionDefinition from, @Nullable String domain, @Nullable String moving) {
        UnaryOperator<CollectionDefinition> change = now -> {
            boolean done = Objects.equals(now.domain(), domain) && Objects.equals(now.moving(), moving);
            if (done) {
                return now;
            }
            if (now.epoch() != from.epoch()) {
                throw new ConflictException(
                        "the definition of the collection was changed meanwhile; repeat the move",
                        "collection",
                        now.name());
            }
            if (now.indexes().stream().anyMatch(index -> !index.isReady())) {
                throw refusal("an index of the collection is being built; finish that, or drop the index", now);
            }
            boolean leaves = domain == null || moving != null && !CollectionDefinition.IN.equals(moving);
            if (leaves && now.indexes().stream().anyMatch(IndexDefinition::unique)) {
                throw refusal("the collection has a unique index, which needs its domain; drop the index first", now);
            }
            CollectionDefinition turned = now.moved(domain, moving);
            boolean stays = domain != null && !now.isArriving();
            return stays ? turned : turned.since(domain == null ? 0 : from.since());
        };
        return parts.catalog().change(from.name(), change);
    }

    /**
     * Waits until every client has noticed the changed definition: one that looked at it before may be about to send
     * what it then allowed.
     */
    private void awaitNotice(Consumer<MoveProgress> progress) {
        progress.accept(new MoveProgress("wait until all clients have noticed", 0));
        parts.tasks()
                .sleep(Catalog.LOOK_EVERY
                        .plus(parts.settings().calls().budget())
                        .plus(PAUSE));
    }

    /**
     * Applies the queues until nothing was left for as long as a message can stay hidden: counts are approximate, and a
     * message in the hands of a client that failed shows in no receive before its visibility timeout ends.
     */
    private void drain(CollectionDefinition marked, Consumer<MoveProgress> progress) {
        long begun = parts.tasks().nanoTime();
        long lastSeen = begun;
        Set<TreeId> drained = marked.trees().collect(Collectors.toSet());
        while (true) {
            Drained now = applyQueues(drained, sinceNanos(begun));
            lastSeen = now.left() > 0 ? parts.tasks().nanoTime() : lastSeen;
            progress.accept(new MoveProgress("apply the queues", now.left() + now.busy()));
            if (now.busy() == 0 && sinceNanos(lastSeen).compareTo(hiddenMax().plus(COUNT_LAG)) >= 0) {
                return;
            }
            if (sinceNanos(begun).compareTo(DRAIN_MAX) > 0) {
                throw new UnavailableException(
                        "the queues of the collection do not become empty; see backlog and quarantine, and repeat the"
                                + " move",
                        "collection",
                        marked.name(),
                        "left",
                        now.left(),
                        "busy",
                        now.busy());
            }
            parts.tasks().sleep(PAUSE);
        }
    }

    /** Recovers dead clients and applies the queues of some trees. */
    private Drained applyQueues(Set<TreeId> trees, Duration taken) {
        var unused = upkeep.recover();
        // Clients at work before the mark have forwarded everything by then, or are dead and recovered.
        boolean late = taken.compareTo(parts.settings().limits().deadAfter().multipliedBy(2)) > 0;
        long unforwarded = late ? 0 : upkeep.backlog().atomicMessages();
        return upkeep.drain(trees).plus(new Drained(unforwarded, 0));
    }

    private Duration sinceNanos(long nanos) {
        return Duration.ofNanos(parts.tasks().nanoTime() - nanos);
    }

    /** The longest that a receive hides a message from others. */
    private Duration hiddenMax() {
        Duration lease = parts.settings().limits().lease();
        return lease.compareTo(AtomicRecovery.HIDDEN) > 0 ? lease : AtomicRecovery.HIDDEN;
    }

    /** All that will be in the log is newer than all that is on pages: there the newest counts. */
    private long fenceAboveAll(CollectionDefinition marked, String domain, Consumer<MoveProgress> progress) {
        long newest =
                marked.trees().mapToLong(tree -> newest(tree, progress)).max().orElse(0);
        if (!parts.loads().clock().observe(newest)) {
            throw new UnavailableException(
                    ErrorCode.CLOCK_SKEW,
                    "a record is stamped later than the servers' time, by a client whose clock was wrong; repeat the"
                            + " move then",
                    "collection",
                    marked.name());
        }
        for (int i = 0; i < FENCES_MAX; i++) {
            // Another client may stamp it, with a clock that has not seen the pages.
            long fence = upkeep.logs().fence(domain, id(), marked.treeId());
            if (fence > newest) {
                return fence;
            }
        }
        throw new UnavailableException(
                ErrorCode.CLOCK_SKEW,
                "other clients stamp the commit log with clocks that are behind; repeat the move",
                "domain",
                domain);
    }

    private TransactionId id() {
        return new TransactionId(
                upkeep.membership().client(), parts.tasks().random().nextLong());
    }

    /** The time of the newest stamp on the pages of a tree. */
    private long newest(TreeId tree, Consumer<MoveProgress> progress) {
        return parts.loads().memory().lend(room -> {
            Trees fresh = parts.indexing().trees().fresh().apply(room);
            long left = fresh.reader(tree).countLeaves();
            long newest = 0;
            Bytes next = Bytes.EMPTY;
            while (next != null) {
                PageImage page = fresh.records(tree).leafFor(next);
                if (page == null) {
                    break;
                }
                for (int i = 0; i < page.count(); i++) {
                    newest = Math.max(newest, page.time(i));
                }
                next = page.header().highKey();
                left--;
                progress.accept(new MoveProgress("read the pages", Math.max(0, left)));
            }
            return newest;
        });
    }
}
