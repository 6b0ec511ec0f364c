package io.penstock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.penstock.btree.TreeLoader;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.PageManager;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueService;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ObjectStoreContract;
import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The architecture rules; {@code docs/ARCHITECTURE.md} tells them in words. */
@AnalyzeClasses(packages = "io.penstock", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest {
    private static final String CORE = "io.penstock.core";
    private static final String TESTKIT = "io.penstock.testkit";
    private static final String BTREE = "io.penstock.btree";
    private static final String COMMIT = "io.penstock.commit";
    private static final String DOOR = "io.penstock";
    private static final String GCS = DOOR + ".gcs";
    private static final String AZURE = DOOR + ".azure";
    private static final String REPORT = DOOR + ".report";
    private static final String FEED = DOOR + ".feed";
    private static final String QUERY = DOOR + ".query";
    private static final String ANNOTATION = DOOR + ".annotation";

    /** The classes of the modules, without those of their tests (of this module and, in a jar, of core). */
    static final class MainClasses implements ImportOption {
        private static final Pattern TESTS = Pattern.compile(".*(/test-classes/|-tests\\.jar).*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(TESTS);
        }
    }

    // ---- Who may know whom

    @ArchTest
    static final ArchRule modulesPointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("core")
            .definedBy(CORE + "..")
            .layer("testkit")
            .definedBy(TESTKIT + "..")
            .layer("btree")
            .definedBy(BTREE + "..")
            .layer("commit")
            .definedBy(COMMIT + "..", DOOR, ANNOTATION, REPORT, FEED, QUERY)
            .whereLayer("testkit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("commit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("btree")
            .mayOnlyBeAccessedByLayers("commit");

    @ArchTest
    static final ArchRule packagesOfCorePointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .ensureAllClassesAreContainedInArchitectureIgnoring(
                    BTREE + "..", COMMIT + "..", DOOR, ANNOTATION, REPORT, FEED, QUERY)
            .layer("values")
            .definedBy(CORE)
            .layer("tasks")
            .definedBy(CORE + ".task..")
            .layer("calls")
            .definedBy(CORE + ".meter..", CORE + ".retry..")
            .layer("servers")
            .definedBy(CORE + ".object", CORE + ".queue")
            .layer("tables")
            .definedBy(CORE + ".queue.table..")
            .layer("clouds")
            .definedBy(
                    CORE + ".object.local..",
                    CORE + ".queue.local..",
                    CORE + ".local..",
                    CORE + ".object.memory..",
                    CORE + ".queue.memory..")
            .layer("testkit")
            .definedBy(TESTKIT + "..")
            .layer("remote clouds")
            .definedBy(CORE + ".object.s3..", CORE + ".queue.sqs..", GCS + "..", AZURE + "..")
            .layer("remote calls")
            .definedBy(CORE + ".remote..")
            .layer("directories")
            .definedBy(CORE + ".disk..")
            .layer("memory")
            .definedBy(CORE + ".memory..")
            .layer("compressors")
            .definedBy(CORE + ".compress..")
            .layer("pages")
            .definedBy(CORE + ".page..")
            .layer("pool")
            .definedBy(CORE + ".pool..")
            .layer("large payloads")
            .definedBy(CORE + ".overflow..")
            .layer("records")
            .definedBy(CORE + ".record..")
            .layer("seals")
            .definedBy(CORE + ".seal..")
            .whereLayer("values")
            .mayNotAccessAnyLayer()
            .whereLayer("tasks")
            .mayOnlyAccessLayers("values")
            .whereLayer("calls")
            .mayOnlyAccessLayers("values", "tasks")
            .whereLayer("servers")
            .mayOnlyAccessLayers("values", "tasks", "calls")
            .whereLayer("directories")
            .mayOnlyAccessLayers("values")
            .whereLayer("clouds")
            .mayOnlyAccessLayers("values", "tasks", "servers", "tables", "directories")
            .whereLayer("tables")
            .mayOnlyAccessLayers("values", "tasks", "servers")
            .whereLayer("testkit")
            .mayOnlyAccessLayers("values", "tasks", "servers", "tables", "clouds")
            .whereLayer("remote clouds")
            .mayOnlyAccessLayers("values", "tasks", "servers", "remote calls")
            .whereLayer("remote calls")
            .mayOnlyAccessLayers("values", "servers")
            .whereLayer("memory")
            .mayOnlyAccessLayers("values", "tasks")
            .whereLayer("compressors")
            .mayOnlyAccessLayers("values")
            .whereLayer("pages")
            .mayOnlyAccessLayers("values", "compressors", "large payloads")
            .whereLayer("pool")
            .mayOnlyAccessLayers("values", "tasks", "servers", "directories", "pages")
            .whereLayer("large payloads")
            .mayOnlyAccessLayers("values", "tasks", "servers")
            .whereLayer("records")
            .mayOnlyAccessLayers("values", "tasks", "pages", "pool", "large payloads")
            .whereLayer("seals")
            .mayOnlyAccessLayers("values", "tasks", "servers", "pool");

    @ArchTest
    static final ArchRule packagesOfCommitPointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .ensureAllClassesAreContainedInArchitectureIgnoring(
                    CORE + "..", TESTKIT + "..", GCS + "..", AZURE + "..", BTREE + "..")
            .layer("log")
            .definedBy(COMMIT + ".log..")
            .layer("catalog")
            .definedBy(COMMIT + ".catalog..")
            .layer("index")
            .definedBy(COMMIT + ".index..")
            .layer("client")
            .definedBy(COMMIT + ".client..")
            .layer("queue")
            .definedBy(COMMIT + ".queue..")
            .layer("protocol")
            .definedBy(COMMIT + ".protocol..")
            .layer("domain")
            .definedBy(COMMIT + ".domain..")
            .layer("checkpoint")
            .definedBy(COMMIT + ".checkpoint..")
            .layer("session")
            .definedBy(COMMIT + ".session..")
            .layer("token")
            .definedBy(COMMIT + ".token..")
            .layer("settings")
            .definedBy(COMMIT + ".settings..")
            .layer("inspect")
            .definedBy(COMMIT + ".inspect..")
            .layer("engine")
            .definedBy(COMMIT + ".engine..")
            .layer("backup")
            .definedBy(COMMIT + ".backup..")
            .layer("bulk")
            .definedBy(COMMIT + ".bulk..")
            .layer("upkeep")
            .definedBy(COMMIT + ".upkeep..")
            .layer("indexing")
            .definedBy(COMMIT + ".indexing..")
            .layer("change feed")
            .definedBy(COMMIT + ".feed..")
            .layer("query")
            .definedBy(COMMIT + ".query..")
            .layer("questions")
            .definedBy(QUERY + "..")
            .layer("classes")
            .definedBy(COMMIT + ".mapping..", ANNOTATION + "..")
            .layer("report")
            .definedBy(REPORT + "..", FEED + "..")
            .layer("front door")
            .definedBy(DOOR)
            .whereLayer("front door")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("report")
            .mayNotAccessAnyLayer()
            .whereLayer("classes")
            .mayNotAccessAnyLayer()
            .whereLayer("questions")
            .mayOnlyAccessLayers("index", "classes")
            .whereLayer("query")
            .mayOnlyAccessLayers("log", "index", "session", "engine", "questions", "report")
            .whereLayer("settings")
            .mayOnlyAccessLayers("protocol", "token")
            .whereLayer("inspect")
            .mayNotAccessAnyLayer()
            .whereLayer("engine")
            .mayOnlyAccessLayers(
                    "log",
                    "catalog",
                    "index",
                    "client",
                    "queue",
                    "protocol",
                    "domain",
                    "checkpoint",
                    "session",
                    "token",
                    "settings",
                    "report")
            .whereLayer("token")
            .mayOnlyAccessLayers("log", "client", "queue", "protocol", "checkpoint", "session")
            .whereLayer("backup")
            .mayOnlyAccessLayers(
                    "log", "catalog", "client", "protocol", "domain", "checkpoint", "session", "engine", "report")
            .whereLayer("bulk")
            .mayOnlyAccessLayers("catalog", "index", "client", "engine")
            .whereLayer("upkeep")
            .mayOnlyAccessLayers(
                    "log",
                    "catalog",
                    "index",
                    "client",
                    "queue",
                    "protocol",
                    "domain",
                    "checkpoint",
                    "engine",
                    "settings",
                    "bulk",
                    "indexing",
                    "query",
                    "report")
            .whereLayer("change feed")
            .mayOnlyAccessLayers("log", "catalog", "domain", "checkpoint", "engine", "settings", "indexing", "report")
            .whereLayer("indexing")
            .mayOnlyAccessLayers(
                    "log", "catalog", "index", "client", "domain", "checkpoint", "engine", "bulk", "settings", "report")
            .whereLayer("log")
            .mayNotAccessAnyLayer()
            .whereLayer("catalog")
            .mayNotAccessAnyLayer()
            .whereLayer("client")
            .mayNotAccessAnyLayer()
            .whereLayer("queue")
            .mayOnlyAccessLayers("client")
            .whereLayer("index")
            .mayOnlyAccessLayers("log", "catalog")
            .whereLayer("protocol")
            .mayOnlyAccessLayers("log", "index", "client", "queue")
            .whereLayer("domain")
            .mayOnlyAccessLayers("log", "client", "report")
            .whereLayer("checkpoint")
            .mayOnlyAccessLayers("log", "index", "client", "queue", "domain", "report")
            .whereLayer("session")
            .mayOnlyAccessLayers("log", "index", "client", "queue", "protocol", "domain", "checkpoint");

    @ArchTest
    static final ArchRule engineIsKnownWhereAStoreIsOpened = noClasses()
            .that(areNot(DOOR + ".Penstock", DOOR + ".Admin", COMMIT + ".engine.Engine"))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName(COMMIT + ".engine.Engine")
            .because("each class gets the parts that it needs");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.penstock.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule deciders = noClasses()
            .that()
            .haveNameMatching(".*\\.(ChangeApplier|NodeSplit|SplitPlan.*|CheckpointPlan.*|Ledger|Routing"
                    + "|AtomicAssembly.*|LeafEntries.*|InnerEntries.*|PageDecoder.*)")
            .or()
            .resideInAPackage(COMMIT + ".log..")
            .should(accessAnyOf("an SPI, the page manager or a task", ObjectStore.class, MessageQueue.class))
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage(CORE + ".task..")
            .because("deciders are pure and do no I/O");

    @ArchTest
    static final ArchRule pagesAreBytes = noClasses()
            .that()
            .resideInAPackage(CORE + ".page")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    CORE + ".object..",
                    CORE + ".queue..",
                    CORE + ".task..",
                    CORE + ".pool..",
                    "java.net..",
                    "java.nio.channels..",
                    "java.nio.file..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File|RandomAccessFile).*")
            .because("core.page does no I/O: reading, writing and keeping pages is core.pool's");

    /** A {@code switch} over all kinds lets the compiler find every place for a new one. */
    @ArchTest
    static final ArchRule kindsOfChangesAreSwitchedOver = classes()
            .that()
            .resideInAnyPackage(CORE + "..", BTREE + "..", COMMIT + "..")
            .should(notAskFor(RecordChange.class));

    /** What a write gives a record, and what a read finds; and the items of a bulk load, which know no records. */
    @ArchTest
    static void theContentOfARecordHasTwoTypes(JavaClasses main) {
        assertThat(main.stream()
                        .filter(type -> type.tryGetField("isReference").isPresent())
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder("Content", "Put", "Item");
    }

    // ---- Foreign libraries stay where they are wanted

    /** A library that is new here needs a rule below, and a line in docs/decisions/libraries.csv. */
    @ArchTest
    static final ArchRule everyLibraryHasARule = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax..",
                    DOOR + "..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "software.amazon..",
                    "com.google..",
                    "com.azure..",
                    "reactor.core..",
                    "com.github.luben..",
                    "com.fasterxml..",
                    "io.micrometer..");

    @ArchTest
    static final ArchRule awsSdkOnlyWhereAwsIsSpokenTo = noClasses()
            .that()
            .resideOutsideOfPackages("..object.s3..", "..queue.sqs..", "..remote.aws..")
            .and(areNot(CORE + ".seal.KmsKeys"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon..", "com.amazonaws..");

    @ArchTest
    static final ArchRule googlesClientOnlyWhereGoogleIsSpokenTo = noClasses()
            .that()
            .resideOutsideOfPackage(GCS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.google..");

    @ArchTest
    static final ArchRule azureSdkOnlyWhereAzureIsSpokenTo = noClasses()
            .that()
            .resideOutsideOfPackage(AZURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.azure..", "reactor..");

    @ArchTest
    static final ArchRule zstdOnlyInItsCompressor = noClasses()
            .that()
            .resideOutsideOfPackage(CORE + ".compress.zstd..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.github.luben..");

    @ArchTest
    static final ArchRule jacksonOnlyForJson = noClasses()
            .that()
            .haveNameNotMatching(Pattern.quote(DOOR) + "\\.(Json|StoredFields)(\\$.*)?")
            .and()
            .resideOutsideOfPackage(COMMIT + ".catalog..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml..");

    @ArchTest
    static final ArchRule micrometerOnlyInMetersAndTheFrontDoor = noClasses()
            .that()
            .resideOutsideOfPackages(CORE + ".meter..", COMMIT + ".engine..", COMMIT + ".settings..", DOOR)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..");

    // ---- Time, chance and concurrency are injected

    @ArchTest
    static final ArchRule timeChanceAndTasksAreInjected = noClasses()
            .that(areNot(CORE + ".task.ThreadTasks", CORE + ".task.MemoryLock", DOOR + ".BodyException"))
            .and()
            .resideOutsideOfPackage(TESTKIT + "..")
            .should(TimeAndChance.beUsed())
            .because(TimeAndChance.REASON);

    @ArchTest
    static final ArchRule locksAreMemoryLocks = noClasses()
            .that(areNot(CORE + ".task.MemoryLock"))
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\.concurrent\\.locks\\..*Lock")
            .because("callers that keep their carriers would wait behind a virtual thread that cannot run");

    @ArchTest
    static final ArchRule noSynchronizedMethods =
            methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED).because("a lock is a field with a comment");

    // ---- Promises of the SPIs

    /** Each cloud of core has a test in its package that is the contract. */
    @ArchTest
    static void everyCloudKeepsTheContract(JavaClasses main) {
        JavaClasses all = new ClassFileImporter()
                .importPackages(CORE + ".object", CORE + ".queue", CORE + ".local", CORE + ".seal", TESTKIT);
        Map.of(ObjectStore.class, ObjectStoreContract.class, QueueService.class, MessageQueueContract.class)
                .forEach((spi, contract) -> assertThat(packages(all, contract))
                        .as("packages with a test of %s", contract.getSimpleName())
                        .containsAll(packages(main, spi)));
    }

    /** The packages of core with a class of that type, without the package of the type, where its decorators are. */
    private static Set<String> packages(JavaClasses classes, Class<?> type) {
        return classes.stream()
                .filter(one -> one.isAssignableTo(type))
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(CORE) || name.startsWith(TESTKIT))
                .filter(name -> !name.equals(type.getPackageName()))
                .collect(Collectors.toSet());
    }

    // ---- Who may write what

    @ArchTest
    static final ArchRule whoPutsObjects = onlyCallers(
            ObjectStore.class,
            "put",
            "object.ObjectProbe",
            "object.ServedObjectStore",
            "gcs.GcsUpload",
            "seal.KeyRing",
            "seal.SealedObjectStore",
            "shared.Answers",
            "pool.PageManager",
            "pool.PageWrites",
            "overflow.OverflowWriter",
            "catalog.CatalogObjects",
            "catalog.TreeNames",
            "client.ClientRegistry",
            "client.StoreIdentity",
            "client.SweepElection",
            "domain.LogObjects",
            "domain.LogHome",
            "queue.IntakeFolder",
            "queue.DeadLetterStore",
            "query.SummaryStore",
            "backup.BackupPlace");

    @ArchTest
    static final ArchRule whoDeletesObjects = onlyCallers(
            ObjectStore.class,
            "delete",
            "object.ServedObjectStore",
            "azure.AzureObjectStore",
            "seal.SealedObjectStore",
            "shared.Answers",
            "pool.PageManager",
            "client.ClientRegistry",
            "client.StoreIdentity",
            "domain.LogHome",
            "upkeep.GarbageCollection",
            "upkeep.Ping");

    @ArchTest
    static final ArchRule whoUploadsObjects = onlyCallers(
            ObjectStore.class,
            "upload",
            "object.ServedObjectStore",
            "seal.SealedObjectStore",
            "shared.Answers",
            "overflow.OverflowWriter",
            "backup.BackupPlace");

    @ArchTest
    static final ArchRule whoWritesLargePayloads = onlyCallers(OverflowStore.class, "write", "engine.LargePayloads");

    @ArchTest
    static final ArchRule whoRemovesLargePayloads =
            onlyCallers(OverflowStore.class, "delete", "checkpoint.RecordApplier");

    @ArchTest
    static final ArchRule whoPutsPages =
            onlyCallers(PageManager.class, "put", "btree.NodeWriter", "btree.TreeLoader", "checkpoint.LedgerStore");

    @ArchTest
    static final ArchRule whoDeletesPages = onlyCallers(PageManager.class, "delete", "btree.NodeWriter");

    @ArchTest
    static final ArchRule whoChangesTrees = onlyCallers(
            TreeWriter.class,
            "apply",
            "btree.TreeWriter",
            "checkpoint.RecordApplier",
            "protocol.NaiveCommit",
            "indexing.LeafIndexing",
            "indexing.IndexScrub",
            "bulk.BulkLoad");

    @ArchTest
    static final ArchRule whoChangesTreesAroundDamage =
            onlyCallers(TreeWriter.class, "applyReachable", "btree.TreeWriter", "checkpoint.RecordApplier");

    @ArchTest
    static final ArchRule whoMarksLeaves = onlyCallers(TreeWriter.class, "mark", "indexing.LeafIndexing");

    @ArchTest
    static final ArchRule whoCreatesTrees =
            onlyCallers(TreeWriter.class, "createRoot", "indexing.LeafIndexing", "indexing.IndexBuild");

    @ArchTest
    static final ArchRule whoLoadsTrees = onlyCallers(TreeLoader.class, "add", "btree.TreeLoader", "bulk.BulkLoad");

    @ArchTest
    static final ArchRule whoSendsMessages = onlyCallers(
            MessageQueue.class,
            "send",
            "queue.ServedQueueService",
            "seal.SealedQueueService",
            "shared.Answers",
            "protocol.GroupSender",
            "queue.HealingQueue",
            "queue.LockQueue",
            "domain.IntakeQueue");

    @ArchTest
    static final ArchRule whoOpensPuQueues = onlyCallers(
            PuQueues.class,
            "open",
            "protocol.PuSenders",
            "checkpoint.Checkpointer",
            "queue.PuQueues",
            "StoreInventory");

    @ArchTest
    static final ArchRule whoMakesPuMessages =
            onlyCallers(PuMessage.class, "<init>", "log.PuMessage", "protocol.PuFormat", "checkpoint.RecordApplier");

    @ArchTest
    static final ArchRule commitProtocolsLiveTogether =
            classes().that().areAssignableTo(CommitProtocol.class).should().resideInAPackage(COMMIT + ".protocol");

    // ---- Names

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .doNotHaveSimpleName("PageManager")
            .and()
            .doNotHaveSimpleName("RecordManager")
            .should()
            .haveNameMatching(".*(Impl|Util|Utils|Helper|Helpers|Manager|Abstract[A-Z].*)");

    // ---- Sizes that one page shows

    @ArchTest
    static void theFrontDoorFitsOnAPage(JavaClasses all) {
        assertThat(all.stream()
                        .filter(type -> type.getPackageName().equals(DOOR))
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC)))
                .hasSizeBetween(1, 25);
    }

    // ---- What is exported

    @Test
    void internalPackagesAreNotExported() throws URISyntaxException {
        assertThat(exports(Penstock.class, DOOR)).containsExactlyInAnyOrder(DOOR, ANNOTATION, REPORT, FEED, QUERY);
        assertThat(exports(TreeWriter.class, "io.penstock.btree")).isEmpty();
        assertThat(exports(Bytes.class, "io.penstock.core"))
                .containsExactlyInAnyOrder(
                        CORE,
                        CORE + ".local",
                        CORE + ".object",
                        CORE + ".object.s3",
                        CORE + ".queue",
                        CORE + ".queue.sqs",
                        CORE + ".seal",
                        CORE + ".task");
    }

    /** The packages that a module exports to everybody. */
    private static Set<String> exports(Class<?> ofModule, String module) throws URISyntaxException {
        Path location = new File(ofModule.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toPath();
        ModuleReference found = ModuleFinder.of(location).find(module).orElseThrow();
        return found.descriptor().exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }

    // ---- The words these rules are made of

    /** Only these classes, named by the ends of their names, may call a method (or refer to it). */
    private static ArchRule onlyCallers(Class<?> owner, String method, String... callers) {
        DescribedPredicate<JavaAccess<?>> call = describe(
                owner.getSimpleName() + "." + method + " is called",
                access -> access.getTarget().getName().equals(method)
                        && access.getTargetOwner().isAssignableTo(owner));
        return noClasses()
                .that(areNot(callers))
                .should(accessTargetWhere(call))
                .as("only " + String.join(", ", callers) + " may call " + owner.getSimpleName() + "." + method);
    }

    private static DescribedPredicate<JavaClass> areNot(String... names) {
        return describe(
                "are not " + String.join(", ", names),
                type -> Arrays.stream(names)
                        .noneMatch(name ->
                                outermost(type).equals(name) || outermost(type).endsWith("." + name)));
    }

    private static String outermost(JavaClass type) {
        int nested = type.getName().indexOf('$');
        return nested < 0 ? type.getName() : type.getName().substring(0, nested);
    }

    private static ArchCondition<JavaClass> accessAnyOf(String what, Class<?>... owners) {
        return accessTargetWhere(describe(
                what,
                access -> Arrays.stream(owners)
                        .anyMatch(owner -> assignableTo(owner).test(access.getTargetOwner()))));
    }

    /** No {@code instanceof} with one of the kinds of a sealed type. */
    private static ArchCondition<JavaClass> notAskFor(Class<?> sealedType) {
        return new ArchCondition<>("switch over the kinds of " + sealedType.getSimpleName() + ", not ask for one") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream()
                        .flatMap(unit -> unit.getInstanceofChecks().stream())
                        .filter(test -> test.getRawType().isAssignableTo(sealedType))
                        .forEach(test -> events.add(SimpleConditionEvent.violated(
                                type,
                                test.getOwner().getFullName() + " asks for "
                                        + test.getRawType().getName())));
            }
        };
    }
}
