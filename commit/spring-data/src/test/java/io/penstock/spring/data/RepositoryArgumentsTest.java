package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.spring.PenstockTemplate;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.repository.ListCrudRepository;

/** What callers give to a repository: things that can be read once, and nothing. */
class RepositoryArgumentsTest {
    private Penstock store;
    private ListCrudRepository<Item, String> items;

    @Stored("items")
    record Item(@Key String id, @Indexed int number) {}

    @BeforeEach
    void open() {
        store = Penstock.open(Settings.inMemory());
        PenstockTemplate template = new PenstockTemplate(store);
        items = new RecordRepository<>(new StoredRecords<>(store.collection(Item.class), template, Item.class));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Runs a change of two records while another thread writes both before the change has ended. */
    private void beside(Consumer<Runnable> change) {
        items.saveAll(List.of(new Item("a", 1), new Item("b", 1)));
        change.accept(() -> store.tasks()
                .fork("other", () -> items.saveAll(List.of(new Item("a", 2), new Item("b", 2))))
                .join());
    }

    /** Can be read once; something happens before its last element. */
    private static <T> Iterable<T> once(List<T> all, Runnable meanwhile) {
        Iterator<T> elements = all.iterator();
        Iterator<T> watched = new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
                return elements.hasNext();
            }

            @Override
            public T next() {
                if (++given == all.size()) {
                    meanwhile.run();
                }
                return elements.next();
            }
        };
        return () -> watched;
    }

    @Test
    void whatCanBeReadOnceIsSavedInSpiteOfAConflict() {
        List<Item> next = List.of(new Item("a", 3), new Item("b", 3));
        beside(other -> assertThat(items.saveAll(once(next, other))).isEqualTo(next));
        assertThat(items.findAll()).isEqualTo(next);
    }

    @Test
    void whatCanBeReadOnceIsDeletedInSpiteOfAConflict() {
        beside(other -> items.deleteAllById(once(List.of("a", "b"), other)));
        assertThat(items.findAll()).isEmpty();
        beside(other -> items.deleteAll(once(List.of(new Item("a", 1), new Item("b", 1)), other)));
        assertThat(items.findAll()).isEmpty();
    }

    /** Spring refuses some of it before, by an exception that depends on its version. */
    @Test
    void nothingIsRefusedAlikeByAllMethods() {
        Item kept = items.save(new Item("a", 1));
        Map<String, Runnable> calls = Map.ofEntries(
                Map.entry("save", () -> items.save(null)),
                Map.entry("saveAll", () -> items.saveAll(null)),
                Map.entry("saveAll of it", () -> items.saveAll(Arrays.asList(new Item("b", 1), null))),
                Map.entry("findById", () -> items.findById(null)),
                Map.entry("existsById", () -> items.existsById(null)),
                Map.entry("findAllById", () -> items.findAllById(null)),
                Map.entry("findAllById of it", () -> items.findAllById(Arrays.asList("a", null))),
                Map.entry("delete", () -> items.delete(null)),
                Map.entry("deleteById", () -> items.deleteById(null)),
                Map.entry("deleteAll", () -> items.deleteAll(null)),
                Map.entry("deleteAll of it", () -> items.deleteAll(Arrays.asList(kept, null))),
                Map.entry("deleteAllById", () -> items.deleteAllById(null)),
                Map.entry("deleteAllById of it", () -> items.deleteAllById(Arrays.asList("a", null))));
        calls.forEach((name, call) ->
                assertThatThrownBy(call::run).as(name).isInstanceOf(InvalidDataAccessApiUsageException.class));
        assertThat(items.findAll()).containsExactly(kept);
    }
}
