package io.penstock.commit.catalog;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.Simulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RenamingTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final Catalog catalog = catalog(objects);

    private static Catalog catalog(ObjectStore objects) {
        return new Catalog(new ThreadTasks(), objects, "", true, Duration.ZERO);
    }

    private static CollectionDefinition wanted(String name, long tree) {
        return Declaration.definition(name, new TreeId(tree), "string", 1024, List.of());
    }

    private static String tree(long id) {
        return new TreeId(id).hex();
    }

    private static Optional<String> treeOf(Catalog catalog, String name) {
        return catalog.refresh(name).map(CollectionDefinition::tree);
    }

    private static void drop(Catalog catalog, String name) {
        catalog.end(catalog.require(name), before -> before.dropping(1));
    }

    /** It gave the forwarding address, which has no domain: programs were told that they declare another collection. */
    @Test
    void anEntryThatWasReadBeforeARenamingLeadsToTheNewName() {
        DefinitionCache cache = new DefinitionCache(new ThreadTasks(), Duration.ZERO);
        CatalogObjects entries = new CatalogObjects(new ThreadTasks(), objects, "catalog/", cache);
        catalog.define(wanted("a", 1));
        catalog.change("a", before -> before.moved("main", null));
        DefinitionCache.Stored old = entries.read("a").orElseThrow();
        catalog.rename("a", "b");
        assertThat(new Renaming(entries, cache).read("a")).isPresent();
        CollectionDefinition kept = cache.keep(old);
        assertThat(kept.name()).isEqualTo("b");
        assertThat(kept.domain()).isEqualTo("main");
    }

    /** A read may be answered late: what changed after its begin may be missing. */
    @Test
    void aDefinitionIsOfTheTimeAtWhichItsReadBegan() {
        Simulation simulation = new Simulation(1);
        var unused = simulation.run(() -> {
            SimulatedClient client = simulation.client("slow");
            DefinitionCache cache = new DefinitionCache(client, Duration.ZERO);
            catalog.define(wanted("a", 1));
            DefinitionCache.Stored read = new CatalogObjects(client, objects, "catalog/", cache)
                    .read("a")
                    .orElseThrow();
            client.sleep(Duration.ofSeconds(2));
            cache.keep(read);
            assertThat(cache.isWithin("a", Duration.ofSeconds(3))).isTrue();
            assertThat(cache.isWithin("a", Duration.ofSeconds(1))).isFalse();
            return true;
        });
    }

    @Test
    void theOldNameLeadsToTheNewOne() {
        Catalog other = catalog(objects);
        catalog.define(wanted("a", 1));
        assertThat(other.find("a")).isPresent();
        catalog.rename("a", "b");
        catalog.rename("a", "b");
        assertThat(catalog.requireInUse("a").name()).isEqualTo("b");
        assertThat(other.requireInUse("a").name())
                .as("known for less than a minute")
                .isEqualTo("a");
        assertThat(other.require("a").name()).isEqualTo("b");
        assertThat(other.requireInUse("a").name()).isEqualTo("b");
        assertThat(other.ofTree(new TreeId(1))).map(CollectionDefinition::name).contains("b");
        catalog.change("a", before -> before.moved("main", CollectionDefinition.IN));
        assertThat(other.require("b").domain()).isEqualTo("main");
        assertThat(catalog.list()).extracting(CollectionDefinition::name).containsExactly("b");
        assertThat(catalog(objects).listWithDropped())
                .extracting(CollectionDefinition::tree)
                .containsExactly(tree(1));
        assertThat(catalog(objects).define(wanted("a", 2)).tree()).isEqualTo(tree(1));
    }

    @Test
    void twoCollectionsChangeTheirNames() {
        catalog.define(wanted("orders", 1));
        catalog.define(wanted("fresh", 2));
        assertThatThrownBy(() -> catalog.rename("fresh", "orders"))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.ALREADY_EXISTS));
        catalog.rename("orders", "old");
        catalog.rename("fresh", "orders");
        for (Catalog each : List.of(catalog, catalog(objects))) {
            assertThat(treeOf(each, "old")).contains(tree(1));
            assertThat(treeOf(each, "orders")).contains(tree(2));
            assertThat(treeOf(each, "fresh")).contains(tree(2));
            assertThat(each.ofTree(new TreeId(1)))
                    .map(CollectionDefinition::name)
                    .contains("old");
        }
        catalog.rename("orders", "fresh");
        catalog.rename("old", "orders");
        assertThat(treeOf(catalog, "orders")).contains(tree(1));
        assertThat(treeOf(catalog, "old")).contains(tree(1));
        assertThat(treeOf(catalog, "fresh")).contains(tree(2));
    }

    @Test
    void aDroppedCollectionGivesItsNamesAway() {
        catalog.define(wanted("a", 1));
        catalog.rename("a", "b");
        drop(catalog, "a");
        assertThat(catalog.find("b")).isEmpty();
        assertThat(catalog.define(wanted("a", 2)).tree()).isEqualTo(tree(2));
        catalog.rename("a", "b");
        assertThat(treeOf(catalog, "b")).contains(tree(2));
        assertThat(treeOf(catalog(objects), "a")).contains(tree(2));
    }

    @Test
    void aNewNameThatWasLostIsDamage() {
        catalog.define(wanted("a", 1));
        catalog.rename("a", "b");
        objects.delete("catalog/b.json");
        assertThatThrownBy(() -> catalog(objects).find("a"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("key=catalog/b.json");
        Catalog fresh = catalog(objects);
        assertThat(fresh.list()).isEmpty();
        assertThat(fresh.unreadable()).containsOnlyKeys("a", "b");
    }

    @Test
    void whatCannotBeRenamedIsRefused() {
        catalog.define(wanted("a", 1));
        assertThatThrownBy(() -> catalog.rename("b", "c"))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.NOT_FOUND));
        assertThatThrownBy(() -> catalog.rename("a", "no/name")).isInstanceOf(InvalidRequestException.class);
        catalog.rename("a", "a");
        assertThat(treeOf(catalog, "a")).contains(tree(1));
    }

    /** Clients rename, drop and define at once, in the middle of each other's calls, and die there. */
    @Test
    void everyCollectionHasOneDefinitionInForceWhateverHappens() {
        Set<String> seen = new HashSet<>();
        for (long seed = 1; seed <= 3_000; seed++) {
            new Run(seed, seen).run();
        }
        assertThat(seen).contains("renamed", "refused", "died", "dropped", "beside");
    }

    private static final class DiedException extends RuntimeException {}

    private static final class Run {
        private final long seed;
        private final SplittableRandom random;
        private final Set<String> seen;
        private final Struck struck = new Struck();
        private final Set<String> alive = new HashSet<>();
        private final Set<String> dropped = new HashSet<>();
        private int trees;
        private int depth;

        Run(long seed, Set<String> seen) {
            this.seed = seed;
            this.seen = seen;
            random = new SplittableRandom(seed);
        }

        void run() {
            List<Catalog> clients = List.of(catalog(struck), catalog(struck), catalog(struck));
            for (int i = 0; i < 12; i++) {
                step(clients);
                check(clients);
            }
        }

        private void step(List<Catalog> clients) {
            Catalog client = clients.get(random.nextInt(clients.size()));
            struck.clients = clients;
            String name = NAMES.get(random.nextInt(NAMES.size()));
            String to = NAMES.get(random.nextInt(NAMES.size()));
            try {
                switch (random.nextInt(8)) {
                    case 0, 1 -> alive.add(client.define(wanted(name, ++trees)).tree());
                    case 2 -> drops(client, name);
                    default -> {
                        client.rename(name, to);
                        seen.add("renamed");
                    }
                }
            } catch (InvalidRequestException refused) {
                seen.add("refused");
            } catch (ConflictException | OutcomeUnknownException | UnavailableException others) {
                seen.add("given up");
            } catch (DiedException died) {
                seen.add("died");
            }
        }

        private void drops(Catalog client, String name) {
            CollectionDefinition before = client.require(name);
            dropped.add(before.tree());
            client.end(before, found -> found.dropping(1));
            seen.add("dropped");
        }

        /** Those of a definition whose writer died may be there. */
        private void check(List<Catalog> clients) {
            struck.isCalm = true;
            Catalog fresh = catalog(struck);
            List<CollectionDefinition> found = fresh.list();
            List<String> there = found.stream().map(CollectionDefinition::tree).toList();
            assertThat(fresh.unreadable()).as("seed %s", seed).isEmpty();
            assertThat(there).as("seed %s", seed).doesNotHaveDuplicates();
            alive.stream()
                    .filter(tree -> !dropped.contains(tree))
                    .forEach(tree -> assertThat(there).as("seed %s", seed).contains(tree));
            for (CollectionDefinition each : found) {
                for (Catalog client : clients) {
                    assertThat(client.refresh(each.name())).as("seed %s", seed).contains(each);
                    assertThat(client.ofTree(each.treeId())).as("seed %s", seed).contains(each);
                }
                alive.add(each.tree());
            }
            struck.isCalm = false;
        }

        /** Objects whose calls may fail, end their client, or let another client act first. */
        private final class Struck extends MemoryObjectStore {
            private List<Catalog> clients = List.of();
            private boolean isCalm;

            @Override
            public Optional<StoredObject> get(String key) {
                disturb();
                return super.get(key);
            }

            @Override
            public Written put(String key, Bytes body, WriteCondition condition) {
                disturb();
                if (key.startsWith("catalog/") && !isCalm && random.nextInt(12) == 0) {
                    if (random.nextBoolean()) {
                        super.put(key, body, condition);
                    }
                    throw random.nextBoolean() ? new DiedException() : new OutcomeUnknownException("drawn");
                }
                return super.put(key, body, condition);
            }

            private void disturb() {
                if (isCalm || depth == 2 || random.nextInt(10) > 0) {
                    return;
                }
                depth++;
                seen.add("beside");
                step(clients);
                depth--;
            }
        }
    }
}
