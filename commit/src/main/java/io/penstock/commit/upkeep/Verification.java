package io.penstock.commit.upkeep;

import io.penstock.btree.TreeCheck;
import io.penstock.btree.TreeReport;
import io.penstock.btree.TreeReport.Violation;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.client.StoreIdentity;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.LogSurvey;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.RefusedException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.Backlog;
import io.penstock.report.GcReport;
import io.penstock.report.VerifyReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One verification of all that is in a store. Changes nothing. For one thread. */
public final class Verification {
    private static final int BATCH = 256;

    /** The number of collections, or ledgers, that are examined at a time. */
    private static final int WIDTH = 8;

    /** The age below which orphans most likely belong to work in progress. */
    private static final Duration GRACE = Duration.ofHours(1);

    /** The number of collections examined together: of each there is a result until all are done. */
    private static final int TOGETHER = 64;

    /** The maximum number of lines of each kind; the rest is left out. */
    private static final int LINES_MAX = 10_000;

    private final StoreContents store;
    private final Workspace room;
    private final LedgerStore ledgers;
    private final Supplier<Backlog> backlog;
    private final List<String> localDamage;
    private final Trees trees;
    private final List<String> violations = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final ReferencedKeys named;

    private long treeCount;
    private long pageCount;
    private long recordCount;
    private long payloadCount;

    /** @param localDamage the damage known of the local queues, where the store is a local one */
    public Verification(StoreContents store, Workspace room, Supplier<Backlog> backlog, List<String> localDamage) {
        this.store = store;
        this.room = room;
        this.ledgers = store.ledgers();
        this.backlog = backlog;
        this.localDamage = List.copyOf(localDamage);
        this.trees = store.trees().fresh().apply(room.part(4));
        this.named = new ReferencedKeys(store.lane().overflows(), room.part(4));
    }

    /** Looks at some collections at a time, and hands over what was found in their order. */
    private static <T> void forEach(
            Tasks tasks,
            List<CollectionDefinition> definitions,
            Function<CollectionDefinition, T> look,
            Consumer<T> result) {
        for (int from = 0; from < definitions.size(); from += TOGETHER) {
            List<CollectionDefinition> some = definitions.subList(from, Math.min(from + TOGETHER, definitions.size()));
            Parallel.map(tasks, WIDTH, some, look).forEach(result);
        }
    }

    private static List<String> unreadable(StoreContents store) {
        return store.trees().catalog().unreadable().entrySet().stream()
                .map(entry -> "collection=" + entry.getKey() + " rule=\"a definition is readable\" found=\""
                        + entry.getValue() + "\"")
                .toList();
    }

    public VerifyReport run() {
        try (named) {
            identity();
            List<CollectionDefinition> definitions = store.trees().catalog().listAgain();
            violations.addAll(unreadable(store));
            forEach(room.tasks(), definitions, this::look, this::add);
            payloads();
        }
        ledgers();
        store.logs().all().forEach(this::log);
        localDamage.forEach(line -> violations.add("local queues: " + line));
        backlog();
        attempt("garbage", store.lane().names().prefix(), this::garbage);
        quarantine();
        store.lane().pages().pool().firstCopied().ifPresent(this::copied);
        return new VerifyReport(some(violations), some(notes), treeCount, pageCount, recordCount, payloadCount);
    }

    private void identity() {
        attempt("store", store.lane().names().prefix(), () -> {
            try {
                store.lane().names().store().requireThere(store.lane().objects());
            } catch (RefusedException refusal) {
                if (!refusal.isGone()) {
                    throw refusal;
                }
                violations.add("rule=\"the store that was opened is there\" found=\"" + refusal.getMessage() + "\"");
            }
        });
        StoreIdentity identity = store.lane().names().store();
        attempt(
                "store",
                identity.prefix(),
                () -> identity.requireCopy(store.lane().objects()));
    }

    private static List<String> some(List<String> lines) {
        return lines.size() <= LINES_MAX
                ? lines
                : Stream.concat(lines.stream().limit(LINES_MAX), Stream.of((lines.size() - LINES_MAX) + " more"))
                        .toList();
    }

    /** The findings in one collection. */
    private static final class Found {
        private final List<String> violations = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private long treeCount;
        private long pageCount;
        private long recordCount;
    }

    private Found look(CollectionDefinition definition) {
        Found found = new Found();
        definition
                .trees()
                .forEach(tree -> attempt(found.violations, "tree", tree.hex(), () -> tree(definition, tree, found)));
        definition
                .indexes()
                .forEach(index ->
                        attempt(found.violations, "index", index.name(), () -> index(definition, index, found)));
        return found;
    }

    private void add(Found found) {
        violations.addAll(found.violations);
        notes.addAll(found.notes);
        treeCount += found.treeCount;
        pageCount += found.pageCount;
        recordCount += found.recordCount;
    }

    private void attempt(String what, String name, Runnable look) {
        attempt(violations, what, name, look);
    }

    /** Counts what cannot be read as a violation, and lets the rest be checked all the same. */
    private static void attempt(List<String> violations, String what, String name, Runnable look) {
        try {
            look.run();
        } catch (CorruptDataException damaged) {
            violations.add(what + "=" + name + " found=\"" + damaged.getMessage() + "\"");
        }
    }

    private void tree(CollectionDefinition definition, TreeId tree, Found found) {
        TreeReport report = TreeCheck.run(store.lane().pages(), tree, room.part(2 * WIDTH), named::addFrom);
        report.violations().forEach(violation -> found.violations.add(line(definition.name(), violation)));
        report.notes().forEach(note -> found.notes.add(line(definition.name(), note)));
        found.treeCount++;
        found.pageCount += report.pages();
        found.recordCount += tree.equals(definition.treeId()) ? report.records() : 0;
    }

    /** A violation of a tree's rules. */
    private static String line(String collection, Violation violation) {
        return "collection=" + collection + " page=" + violation.page() + " rule=\"" + violation.rule() + "\" found=\""
                + violation.detail() + "\"";
    }

    /** Checks that each entry of an index leads to a record. Only a program knows how search keys are made. */
    private void index(CollectionDefinition definition, IndexDefinition index, Found found) {
        long[] lost = new long[1];
        trees.inBatches(index.treeId(), BATCH, batch -> lost[0] += leftOver(definition.treeId(), batch));
        if (lost[0] > 0) {
            found.notes.add("collection=" + definition.name() + " index=" + index.name() + " entries without a record: "
                    + lost[0] + "; Admin.scrub removes them");
        }
    }

    private long leftOver(TreeId primary, List<RecordChange> entries) {
        List<Optional<RecordChange>> found = trees.records(primary)
                .findAll(entries.stream()
                        .map(entry -> CompositeKey.split(entry.key()).second())
                        .toList());
        return found.stream()
                .filter(record -> record.filter(one -> !one.isTombstone()).isEmpty())
                .count();
    }

    /**
     * Lists the payloads after the leaves were read, so that every object that a leaf named and that still exists is in
     * the list.
     */
    private void payloads() {
        payloadCount = named.compare(
                ObjectStores.listing(
                        store.lane().objects(), store.lane().overflows().prefix()),
                unnamed -> {},
                key -> violations.add("object=" + key + " rule=\"what a record names is there\" found=\"missing\""));
    }

    private void ledgers() {
        List<PuQueueId> queues = store.lane().puQueues().list();
        Parallel.map(room.tasks(), WIDTH, queues, this::ledger).forEach(violations::addAll);
    }

    private List<String> ledger(PuQueueId id) {
        List<String> found = new ArrayList<>();
        attempt(found, "queue", id.name(), () -> {
            var unused = ledgers.describe(id);
        });
        return found;
    }

    private void log(Domain domain) {
        LogSurvey.Findings found = domain.survey().walk();
        found.violations().forEach(violation -> violations.add(line(domain, violation)));
        found.notes().forEach(note -> notes.add(line(domain, note)));
    }

    private static String line(Domain domain, String found) {
        return "domain=" + domain.name() + " rule=\"a commit log is whole\" found=\"" + found + "\"";
    }

    private void backlog() {
        Backlog left = backlog.get();
        if (left.total() > 0) {
            notes.add("committed and not yet applied: " + left.pendingMessages() + " messages in PU queues, "
                    + left.atomicMessages() + " in ATOMIC queues, " + left.logSegments()
                    + " segments of commit logs; a sweep applies them");
        }
    }

    private void garbage() {
        GcReport report = new GarbageCollection(store, room.part(2), GRACE, false).run();
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

    private void copied(PageId page) {
        notes.add("page=" + page + " rule=\"a page is put when it is written\" found=\"an hour or more later: it was"
                + " restored or copied, maybe with others; what was committed after that version is not in it\"");
    }
}
