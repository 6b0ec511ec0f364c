package io.penstock.commit.simulation.surface;

import io.penstock.Admin;
import io.penstock.CoveringIndex;
import io.penstock.Index;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.Quarantine;
import io.penstock.RecordCollection;
import io.penstock.Review;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.TransactionBody;
import io.penstock.feed.ChangeFeed;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The methods of the public surface: those that programs of the generator call, and those that they need not. A method
 * is written {@code Type.name(Parameter,Parameter)}.
 */
public final class Methods {
    private static final List<Class<?>> TYPES = List.of(
            Penstock.class,
            Admin.class,
            Session.class,
            Transaction.class,
            TransactionBody.class,
            RecordCollection.class,
            Index.class,
            CoveringIndex.class,
            Scan.class,
            ChangeFeed.class,
            Review.class,
            PayloadCodec.class,
            Quarantine.class);

    /** What runs and users call beside steps and chores. */
    private static final Set<String> OF_PROGRAMS = Set.of(
            "Admin.drop(String)",
            "Admin.keepBackups(ObjectStore,String,int,Duration)",
            "Admin.moveInto(String,String,Consumer)",
            "Admin.moveOut(String,Consumer)",
            "Admin.restore(ObjectStore,String,Optional)",
            "Admin.truncate(String)",
            "Admin.verify()",
            "ChangeFeed.next(Duration)",
            "Index.including(String,PayloadCodec,Function)",
            "Index.including(String,ValueField[])",
            "Index.unique()",
            "PayloadCodec.sealed(MasterKeys,String)",
            "Penstock.at(String,Duration)",
            "Penstock.begin()",
            "Penstock.begin(ConsistencyLevel)",
            "Penstock.changes(String)",
            "Penstock.close()",
            "Penstock.collection(String,KeyCodec,PayloadCodec)",
            "Penstock.newSession()",
            "Penstock.open(Settings)",
            "Penstock.position(String)",
            "Penstock.read(TransactionBody)",
            "Penstock.session(String)",
            "Penstock.transact(ConsistencyLevel,TransactionBody)",
            "Penstock.transact(String,TransactionBody)",
            "Penstock.transact(TransactionBody)",
            "Quarantine.applyAll(boolean)",
            "Quarantine.list()",
            "RecordCollection.declare(Fields)",
            "RecordCollection.inDomain(String)",
            "RecordCollection.expiresAfter(Duration)",
            "RecordCollection.load(Iterator,LongConsumer)",
            "RecordCollection.parts(Query,int)",
            "RecordCollection.position()",
            "RecordCollection.load(Iterator,int,int,LongConsumer)",
            "RecordCollection.index(String,KeyCodec,Function)",
            "Review.approve(String)",
            "Review.approveRegardless(String)",
            "Review.of(RecordCollection)",
            "Review.pending(int)",
            "Review.propose(Object,Optional,String)",
            "Review.reject(String,String)",
            "Review.rejected(int)",
            "Review.withdraw(String)",
            "Scan.close()",
            "Session.begin()",
            "Session.begin(ConsistencyLevel)",
            "Session.beginRead()",
            "Session.beginRead(ConsistencyLevel)",
            "Session.close()",
            "Session.read(TransactionBody)",
            "Session.token()",
            "Session.transact(ConsistencyLevel,TransactionBody)",
            "Session.transact(String,TransactionBody)",
            "Session.transact(TransactionBody)",
            "Session.withDeadline(Duration,Supplier)",
            "Transaction.abort()",
            "Transaction.bind()",
            "Transaction.close()",
            "Transaction.commit()",
            "Transaction.unbind()",
            "TransactionBody.run(Transaction)");

    /** Methods that no program needs, by the reason. */
    private static final Map<String, List<String>> LEFT_OUT = Map.of(
            "tells a name or a fact that is known here",
            List.of(
                    "Index.name()",
                    "Penstock.admin()",
                    "Penstock.clientId()",
                    "Penstock.collections()",
                    "Penstock.countConflict(ConsistencyLevel,boolean)",
                    "Penstock.current()",
                    "Penstock.level()",
                    "Penstock.session()",
                    "Penstock.tasks()",
                    "RecordCollection.fields()",
                    "RecordCollection.isLoadable()",
                    "RecordCollection.keyTypes()",
                    "RecordCollection.level()",
                    "RecordCollection.name()",
                    "RecordCollection.plan(Query)",
                    "Session.isWhole()",
                    "Transaction.endBy(Function,Runnable)",
                    "Transaction.level()"),
            "declares by a class or fields, or reads before a write; AnnotationsTest, FieldIndexTest",
            List.of(
                    "Penstock.collection(Class)",
                    "Penstock.collection(Class,PayloadCodec)",
                    "RecordCollection.expiresAt(Function)",
                    "RecordCollection.index(String)",
                    "RecordCollection.index(String,ValueField,ValueField,ValueField[])"),
            "another face of hasNext() and next()",
            List.of("Scan.iterator()", "Scan.spliterator()"),
            "encodes what is written, or decodes what was read",
            List.of(
                    "PayloadCodec.bytes()",
                    "PayloadCodec.decode(Bytes)",
                    "PayloadCodec.encode(Object)",
                    "PayloadCodec.same(Object,Object)",
                    "RecordCollection.decodeKey(Change)",
                    "RecordCollection.decodeValue(Change)"),
            "gives order up on request; HeldBackTest",
            List.of("Admin.applyHeldBack()"),
            "looks at servers and pages, for people",
            List.of("Admin.inspect()", "Penstock.ping()", "Quarantine.show(String,boolean)"),
            "has other forms of pages, which CompressedSeedsTest draws",
            List.of("RecordCollection.compressed(Compression)"),
            "creates queues and definitions; ProvisioningTest",
            List.of("Admin.provision(RecordCollection[])"),
            "needs damage before; simulation.Damage",
            List.of("Quarantine.apply(String,boolean)"));

    private Methods() {}

    /** All public methods of the types through which programs read and write. */
    public static Set<String> all() {
        Set<String> all = new TreeSet<>();
        for (Class<?> type : TYPES) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
                    all.add(Arrays.stream(method.getParameterTypes())
                            .map(Class::getSimpleName)
                            .collect(
                                    Collectors.joining(",", type.getSimpleName() + "." + method.getName() + "(", ")")));
                }
            }
        }
        return all;
    }

    /** The methods that drawn programs call. */
    public static Set<String> drawn() {
        Set<String> drawn = new TreeSet<>(OF_PROGRAMS);
        for (Step step : Step.values()) {
            drawn.addAll(step.methods);
        }
        for (Chores.Chore chore : Chores.Chore.values()) {
            if (!chore.method.isEmpty()) {
                drawn.add(chore.method);
            }
        }
        return drawn;
    }

    /** The methods that are left out, each with the reason. */
    public static Map<String, String> leftOut() {
        Map<String, String> reasons = new TreeMap<>();
        LEFT_OUT.forEach((reason, methods) -> methods.forEach(method -> reasons.put(method, reason)));
        return reasons;
    }
}
