package io.penstock.commit.upkeep;

import io.penstock.btree.TreeCheck;
import io.penstock.btree.TreeReport;
import io.penstock.btree.Violation;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.VersionedRecord;
import io.penstock.report.Backlog;
import io.penstock.report.GcReport;
import io.penstock.report.VerifyReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One verification of all that is in a store. Changes nothing. For one thread. */
public final class Verification {
    private static final int BATCH = 256;

    /** Younger orphans most likely belong to work in progress. */
    private static final Duration GRACE = Duration.ofHours(1);

    private final StoreContents store;
    private final LedgerStore ledgers;
    private final Supplier<Backlog> backlog;
    private final List<String> localDamage;
    private final Trees trees;
    private final List<String> violations = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** The keys of the objects that leaves name. */
    private final Set<String> named = new TreeSet<>();

    private long treeCount;
    private long pageCount;
    private long recordCount;

    /** @param localDamage what is known to be damaged of the local queues, where the store is a local one */
    public Verification(StoreContents store, LedgerStore ledgers, Supplier<Backlog> backlog, List<String> localDamage) {
        this.store = store;
        this.ledgers = ledgers;
        this.backlog = backlog;
        this.localDamage = List.copyOf(localDamage);
        this.trees = store.trees().fresh().get();
    }

    /** Checks every tree of the store and nothing else; one line for each violation. */
    public static List<String> ofTrees(StoreContents store) {
        List<String> lines = new ArrayList<>();
        for (CollectionDefinition definition : store.trees().catalog().list()) {
            definition
                    .trees()
                    .flatMap(tree -> TreeCheck.run(store.lane().pages(), tree).violations().stream())
                    .forEach(violation -> lines.add(line(definition.name(), violation)));
        }
        lines.addAll(unreadable(store));
        return lines;
    }

    private static List<String> unreadable(StoreContents store) {
        return store.trees().catalog().unreadable().entrySet().stream()
                .map(entry -> "collection=" + entry.getKey() + " rule=\"a definition is readable\" found=\""
                        + entry.getValue() + "\"")
                .toList();
    }

    public VerifyReport run() {
        List<CollectionDefinition> definitions = store.trees().catalog().listAgain();
        violations.addAll(unreadable(store));
        for (CollectionDefinition definition : definitions) {
            definition.trees().forEach(tree -> attempt("tree", tree.hex(), () -> tree(definition, tree)));
            definition.indexes().forEach(index -> attempt("index", index.name(), () -> index(definition, index)));
        }
        payloads();
        store.lane().puQueues().list().forEach(id -> attempt("queue", id.name(), () -> ledger(id)));
        localDamage.forEach(line -> violations.add("local queues: " + line));
        backlog();
        attempt("garbage", store.lane().names().prefix(), this::garbage);
        quarantine();
        return new VerifyReport(violations, notes, treeCount, pageCount, recordCount, named.size());
    }

    /** Counts what cannot be read as a violation, and lets the rest be checked all the same. */
    private void attempt(String what, String name, Runnable look) {
        try {
            look.run();
        } catch (CorruptDataException damaged) {
            violations.add(what + "=" + name + " found=\"" + damaged.getMessage() + "\"");
        }
    }

    private void tree(CollectionDefinition definition, TreeId tree) {
        TreeReport report = TreeCheck.run(store.lane().pages(), tree, this::note);
        report.violations().forEach(violation -> violations.add(line(definition.name(), violation)));
        report.notes().forEach(note -> notes.add(line(definition.name(), note)));
        treeCount++;
        pageCount += report.pages();
        recordCount += tree.equals(definition.treeId()) ? report.records() : 0;
    }

    /** A violation of a tree's rules. */
    private static String line(String collection, Violation violation) {
        return "collection=" + collection + " page=" + violation.page() + " rule=\"" + violation.rule() + "\" found=\""
                + violation.detail() + "\"";
    }

    private void note(PageImage page) {
        if (page.isLeaf()) {
            store.named().forEach(kind -> kind.namedBy(page).forEach(named::add));
        }
    }

    /** Only a program knows how search keys are made; that each entry leads to a record can be seen without. */
    private void index(CollectionDefinition definition, IndexDefinition index) {
        long[] lost = new long[1];
        trees.inBatches(index.treeId(), BATCH, batch -> lost[0] += leftOver(definition.treeId(), batch));
        if (lost[0] > 0) {
            notes.add("collection=" + definition.name() + " index=" + index.name() + " entries without a record: "
                    + lost[0] + "; Index.scrub removes them");
        }
    }

    private long leftOver(TreeId primary, List<VersionedRecord> entries) {
        List<Optional<VersionedRecord>> found = trees.records(primary)
                .findAll(entries.stream()
                        .map(entry -> CompositeKey.split(entry.key()).second())
                        .toList());
        return found.stream()
                .filter(record -> record.filter(one -> !one.isTombstone()).isEmpty())
                .count();
    }

    /**
     * Listed after the leaves were read, so that every object that a leaf named and that still exists is in the list.
     */
    private void payloads() {
        Set<String> there = store.named().stream()
                .flatMap(kind -> list(kind.prefix()).stream())
                .map(Listing.Entry::key)
                .collect(Collectors.toSet());
        named.stream()
                .filter(key -> !there.contains(key))
                .forEach(key -> violations.add(
                        "object=" + key + " rule=\"what a record names is there\"" + " found=\"missing\""));
    }

    private void ledger(PuQueueId id) {
        var unused = ledgers.describe(id);
    }

    private void backlog() {
        Backlog left = backlog.get();
        if (left.total() > 0) {
            notes.add("committed and not yet applied: " + left.pendingMessages() + " messages in PU queues, "
                    + left.atomicMessages() + " in ATOMIC queues; a sweep applies them");
        }
    }

    private void garbage() {
        GcReport report = new GarbageCollection(store, GRACE, false).run();
        if (report.orphans() > 0) {
            notes.add("orphans: " + report.orphans() + " objects of " + report.bytes() + " bytes; gc removes them");
        }
        report.kept().forEach((reason, count) -> {
            if (reason == GcReport.Reason.ROOT_LOST) {
                violations.add("pages=" + count + " rule=\"a tree that has pages has a root\" found=\"the root is"
                        + " missing; restore it before anything is written\"");
            } else if (reason == GcReport.Reason.SET_BACK) {
                violations.add("pages=" + count + " rule=\"what was part of a tree stays part of it\" found=\"a page"
                        + " that led to them was set back; restore its newest version\"");
            } else if (reason != GcReport.Reason.YOUNG) {
                notes.add("seemingly orphans, to be looked into: " + count + " " + reason);
            }
        });
    }

    private void quarantine() {
        int messages = store.quarantined().list().size();
        if (messages > 0) {
            notes.add("messages in quarantine: " + messages + "; see OPERATIONS.md");
        }
        int parked = store.parked().list().size();
        if (parked > 0) {
            notes.add("objects with parked log records: " + parked
                    + "; they are not readable until quarantine apply, after a repair");
        }
    }

    private List<Listing.Entry> list(String prefix) {
        return ObjectStores.listAll(store.lane().objects(), prefix);
    }
}
