package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Review.Proposal;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of others wait until a curator approves them. */
class ReviewTest {
    @TempDir
    private Path directory;

    private Penstock store = Penstock.open(Settings.inMemory());

    @AfterEach
    void close() {
        store.close();
    }

    private void place(String place) {
        if (place.equals("directory")) {
            store.close();
            store = Penstock.open(Settings.local(directory));
        }
    }

    private static RecordCollection<String, String> books(Penstock store) {
        return named(store, "books");
    }

    private static RecordCollection<String, String> named(Penstock store, String name) {
        RecordCollection<String, String> books = store.collection(name, Keys.string(), Json.of(String.class));
        var unused = books.index("length", Keys.longs(), book -> (long) book.length());
        return books;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "directory"})
    void anApprovedProposalIsARecordAndWaitsNoMore(String place) {
        place(place);
        RecordCollection<String, String> books = books(store);
        books.put("1", "old");
        Review<String, String> review = Review.of(books);
        String changes = review.propose("1", Optional.of("newer"), "ada");
        String deletes = review.propose("2", Optional.empty(), "bob");
        assertThat(books.get("1")).contains("old");
        assertThat(review.pending(10)).extracting(Proposal::id).containsExactlyInAnyOrder(changes, deletes);
        assertThat(review.pending(1)).hasSize(1);
        Proposal<String, String> first = review.pending(10).stream()
                .filter(each -> each.id().equals(changes))
                .findFirst()
                .orElseThrow();
        assertThat(first.key() + first.value() + first.by() + first.rejected())
                .isEqualTo("1Optional[newer]adaOptional.empty");
        review.approve(changes);
        review.approve(deletes);
        assertThat(books.get("1")).contains("newer");
        try (var found = books.<Long>index("length").scan(KeySpan.all())) {
            assertThat(found.stream()).extracting(Entry::key).containsExactly("1");
        }
        assertThat(review.pending(10)).isEmpty();
        assertThatThrownBy(() -> review.approve(changes))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.NOT_FOUND));
    }

    @Test
    void whatChangedMeanwhileIsNotOverwrittenUnlessToldSo() {
        RecordCollection<String, String> books = books(store);
        Review<String, String> review = Review.of(books);
        String fresh = review.propose("1", Optional.of("ada's"), "ada");
        books.put("1", "another's");
        assertThatThrownBy(() -> review.approve(fresh))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("proposal=" + fresh);
        assertThat(books.get("1")).contains("another's");
        assertThat(review.pending(10)).hasSize(1);
        review.approveRegardless(fresh);
        assertThat(books.get("1")).contains("ada's");
    }

    @Test
    void aRejectedProposalTellsWhyUntilItIsWithdrawn() {
        Review<String, String> review = Review.of(books(store));
        String id = review.propose("1", Optional.of("spam"), "eve");
        review.reject(id, "an advertisement");
        assertThat(review.pending(10)).isEmpty();
        assertThat(review.rejected(10)).extracting(Proposal::rejected).containsExactly(Optional.of("an advertisement"));
        assertThatThrownBy(() -> review.approve(id)).is(code(ErrorCode.NOT_FOUND));
        assertThatThrownBy(() -> review.reject(id, "again")).is(code(ErrorCode.NOT_FOUND));
        assertThat(review.withdraw(id)).isTrue();
        assertThat(review.withdraw(id)).isFalse();
        assertThat(review.rejected(10)).isEmpty();
        assertThat(books(store).get("1")).isEmpty();
    }

    @Test
    void proposalsWaitForACuratorWhoIsGone() {
        place("directory");
        Review.of(books(store)).propose("1", Optional.of("waits"), "ada");
        close();
        store = Penstock.open(Settings.local(directory));
        Review<String, String> review = Review.of(books(store));
        review.approve(review.pending(10).getFirst().id());
        assertThat(books(store).get("1")).contains("waits");
    }

    private static boolean approveAll(Review<String, String> review, List<String> ids, List<String> done) {
        for (String id : ids) {
            try {
                review.approve(id);
                done.add(id);
            } catch (InvalidRequestException gone) {
                assertThat(gone.code()).isEqualTo(ErrorCode.NOT_FOUND);
            }
        }
        return true;
    }

    @Test
    void ofTwoCuratorsOneApproves() {
        Simulation simulation = new Simulation(3);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        int proposals = 20;
        List<String> approved = simulation.run(() -> {
            List<String> ids = new ArrayList<>();
            List<String> done = new ArrayList<>();
            List<Task<Boolean>> curators = new ArrayList<>();
            List<Penstock> stores = new ArrayList<>();
            for (String name : List.of("one", "two")) {
                SimulatedClient machine = simulation.client(name);
                Penstock opened = Penstock.open(Settings.on(cloud.objects(machine), machine));
                stores.add(opened);
                Review<String, String> review = Review.of(books(opened));
                for (int i = 0; ids.size() < proposals; i++) {
                    ids.add(review.propose("k" + i, Optional.of("v" + i), "ada"));
                }
                curators.add(machine.start("curator", () -> approveAll(review, ids, done)));
            }
            curators.forEach(Task::join);
            try (var all = books(stores.getFirst()).scan(KeySpan.all())) {
                assertThat(all.stream()).hasSize(proposals);
            }
            stores.forEach(Penstock::close);
            return done;
        });
        assertThat(approved).hasSize(proposals).doesNotHaveDuplicates();
    }

    @Test
    void whatIsNoProposalIsNamedAndCanBeRejected() {
        RecordCollection<String, String> books = books(store);
        Review<String, String> review = Review.of(books);
        store.collection("books.review", Keys.string(), PayloadCodec.bytes())
                .inDomain(RecordCollection.MAIN_DOMAIN)
                .put("by-hand", Bytes.utf8("{\"key\":\"%\",\"by\":\"eve\"}"));
        String id = review.propose("1", Optional.of("one"), "ada");
        assertThat(review.pending(10)).extracting(Proposal::id).containsExactly(id);
        assertThatThrownBy(() -> review.approve("by-hand"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("proposal=by-hand");
        review.reject("by-hand", "no proposal");
        review.reject(id, "no");
        assertThat(review.pending(10)).isEmpty();
        assertThat(review.rejected(10)).extracting(Proposal::id).containsExactly(id);
        assertThat(review.withdraw("by-hand")).isTrue();
    }

    @Test
    void aProposalWhoseKeyWasDestroyedHidesNoOther() {
        String one = "one " + Base64.getEncoder().encodeToString(new byte[32]);
        String two = "two " + Base64.getEncoder().encodeToString(new byte[32]);
        String forgotten = sealed(one).propose("1", Optional.of("secret"), "ada");
        String id = sealed(two).propose("2", Optional.of("open"), "bob");
        Review<String, String> review = sealed(two);
        assertThat(review.pending(1)).extracting(Proposal::id).containsExactly(id);
        review.reject(forgotten, "its contributor is forgotten");
        review.reject(id, "no");
        assertThat(review.rejected(1)).extracting(Proposal::id).containsExactly(id);
        assertThat(review.withdraw(forgotten)).isTrue();
    }

    private Review<String, String> sealed(String line) {
        PayloadCodec<String> words = Json.of(String.class).sealed(MasterKeys.given(line), line.split(" ")[0]);
        return Review.of(store.collection("secrets", Keys.string(), words));
    }

    @Test
    void proposalsFollowACollectionThatIsRenamed() {
        RecordCollection<String, String> books = books(store);
        String id = Review.of(books).propose("1", Optional.of("text"), "ada");
        store.admin().rename("books", "works");
        store.admin().rename("books.review", "works.review");
        RecordCollection<String, String> works = named(store, "works");
        assertThat(Review.of(works).pending(10)).extracting(Proposal::id).containsExactly(id);
        assertThat(Review.of(books).pending(10)).extracting(Proposal::id).containsExactly(id);
        Review.of(works).approve(id);
        assertThat(books.get("1")).contains("text");
    }

    private record Book(String title, long version) {
        Book version(long next) {
            return new Book(title, next);
        }
    }

    /** A command has no types, and would put the proposed bytes as they are. */
    @Test
    void whatOnlyTheProgramCanMakeIsRefusedWithoutIt() {
        RecordCollection<String, Book> books =
                store.collection("books", Keys.string(), Json.of(Book.class)).versioned(Book::version, Book::version);
        RecordCollection<String, String> offers =
                store.collection("offers", Keys.string(), Json.of(String.class)).expiresAfter(Duration.ofHours(1));
        RecordCollection<String, String> lent =
                store.collection("lent", Keys.string(), Json.of(String.class)).expiresAt(value -> Instant.MAX);
        books.put("1", new Book("old", 0));
        offers.put("1", "old");
        lent.put("1", "old");
        needsTheProgram(books, new Book("new", 1));
        needsTheProgram(offers, "new");
        needsTheProgram(lent, "new");
        assertThat(books.get("1")).contains(new Book("new", 2));
    }

    private <V> void needsTheProgram(RecordCollection<String, V> collection, V value) {
        Review<String, V> review = Review.of(collection);
        String changes = review.propose("1", Optional.of(value), "ada");
        String deletes = review.propose("2", Optional.empty(), "ada");
        Review<Bytes, Bytes> raw = Review.of(store.rawCollection(collection.name()));
        for (Consumer<String> approval : List.<Consumer<String>>of(raw::approve, raw::approveRegardless)) {
            assertThatThrownBy(() -> approval.accept(changes))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("proposal=" + changes);
        }
        raw.approve(deletes);
        review.approve(changes);
    }

    @Test
    void whatCannotBeReviewedIsRefused() {
        store.close();
        store = Penstock.open(Settings.inMemory().level(ConsistencyLevel.ATOMIC));
        RecordCollection<String, String> loose = store.collection("loose", Keys.string(), Json.of(String.class));
        assertThatThrownBy(() -> Review.of(loose)).is(code(ErrorCode.DOMAIN_MISMATCH));
        Review<Bytes, Bytes> review = Review.of(
                store.collection("held", Keys.bytes(), PayloadCodec.bytes()).inDomain("main"));
        assertThatThrownBy(() -> review.propose(Bytes.utf8("k"), Optional.empty(), " "))
                .is(code(ErrorCode.INVALID_SETTING));
    }
}
