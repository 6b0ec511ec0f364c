package io.penstock.bench.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.report.CheckpointReport;
import io.penstock.report.QuarantineReport;
import io.penstock.report.VerifyReport;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The use of a damaged store: everything is read, verified, written and read again. */
final class Judge {
    private static final int CHECKPOINTS_MAX = 4;

    private final Findings findings;
    private final Shop.Content content;
    private final Supplier<Settings> settings;
    private final Runnable wait;
    private final Set<String> usual;
    private final Set<String> told = new TreeSet<>();
    private final Set<String> written = new HashSet<>();
    private boolean built;

    /**
     * @param settings for each client that looks
     * @param wait lets a few minutes pass, where time is virtual
     * @param usual the lines that {@code verify} prints of the undamaged store
     */
    Judge(Findings findings, Shop.Content content, Supplier<Settings> settings, Runnable wait, Set<String> usual) {
        this.wait = wait;
        this.findings = findings;
        this.content = content;
        this.settings = settings;
        this.usual = usual;
    }

    /** What {@code verify} printed. */
    Set<String> told() {
        return told;
    }

    void judge() {
        findings.demand("open", () -> {
            Penstock store = Penstock.open(settings.get().level(ConsistencyLevel.MONOTONIC));
            Shop shop = new Shop(store);
            work(store);
            read(shop);
            findings.demand("verify", () -> verify(store.admin().verify()));
            findings.attempt("build", () -> build(shop));
            write(store, shop);
            findings.attempt("close", store::close);
        });
        findings.demand("open again", () -> {
            Penstock store = Penstock.open(settings.get());
            Shop shop = new Shop(store);
            content.keySet()
                    .forEach(path -> findings.attempt("read again " + path, () -> {
                        if (written.contains(path) && !shop.get(path).equals(changed(path))) {
                            findings.collateral("not written: " + path);
                        }
                    }));
            findings.attempt("scan what was built", () -> readBuilt(shop));
            findings.attempt("close again", store::close);
        });
    }

    /** Recovery, checkpoints and the second application of what was parked. */
    private void work(Penstock store) {
        findings.attempt("recover", () -> findings.tell(store.admin().recover().failed() > 0));
        findings.attempt("checkpoint", () -> checkpoint(store));
        findings.attempt("apply", () -> {
            QuarantineReport report = store.admin().quarantine().applyAll(false);
            findings.tell(report.kept().keySet().stream().anyMatch(id -> id.startsWith("parked/")));
        });
    }

    /** Until nothing waits: a lock without its token is made anew after a few minutes. */
    private void checkpoint(Penstock store) {
        for (int turn = 0; turn < CHECKPOINTS_MAX; turn++) {
            CheckpointReport report = store.admin().checkpoint();
            findings.tell(report.quarantined() > 0 || report.parked() > 0);
            if (store.admin().backlog().total() == 0) {
                return;
            }
            wait.run();
        }
    }

    private void read(Shop shop) {
        content.forEach((path, value) -> findings.attempt("get " + path, () -> compare(path, value, shop.get(path))));
        for (String folder : List.of(Shop.BOOKS, Shop.FILES)) {
            findings.attempt("scan " + folder, () -> {
                Map<String, String> found = new TreeMap<>();
                shop.scan(folder, found::put);
                compareAll(folder, found);
            });
        }
        findings.attempt("scan the index", () -> {
            Map<String, String> found = new TreeMap<>();
            shop.scanIndex(found::put);
            compareAll(Shop.BOOKS, found);
        });
    }

    private void compareAll(String folder, Map<String, String> found) {
        content.forEach((path, value) -> {
            if (Shop.folder(path).equals(folder)) {
                compare(path, value, found.getOrDefault(path, ""));
            }
        });
    }

    private void compare(String path, String expected, String found) {
        if (!expected.equals(found)) {
            findings.wrong(path, found);
        }
    }

    /** Numbers and names change from run to run, so only what a line is about is compared. */
    private void verify(VerifyReport report) {
        report.violations().forEach(told::add);
        report.notes().forEach(told::add);
        findings.verify(!usual.containsAll(told));
    }

    private void write(Penstock store, Shop shop) {
        content.keySet()
                .forEach(path -> findings.attempt("put " + path, () -> {
                    shop.put(ConsistencyLevel.MONOTONIC, Map.of(path, changed(path)));
                    written.add(path);
                }));
        findings.attempt("last checkpoint", () -> checkpoint(store));
    }

    /** Ends the build that somebody began, and looks whether the index has everything. */
    private void build(Shop shop) {
        shop.build();
        built = true;
        Map<String, String> found = new TreeMap<>();
        shop.scanBuilt(found::put);
        compareAll(Shop.BOOKS, found);
    }

    /** What was written after the build is in the index too. */
    private void readBuilt(Shop shop) {
        Map<String, String> found = new TreeMap<>();
        if (built) {
            shop.scanBuilt(found::put);
            written.stream()
                    .filter(path -> Shop.folder(path).equals(Shop.BOOKS))
                    .filter(path -> !changed(path).equals(found.get(path)))
                    .forEach(path -> findings.collateral("not in the index that was built: " + path));
        }
    }

    private static String changed(String path) {
        return "anew " + path;
    }
}
