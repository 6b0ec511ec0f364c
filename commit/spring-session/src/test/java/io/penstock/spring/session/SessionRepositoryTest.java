package io.penstock.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import io.penstock.ConsistencyLevel;
import io.penstock.core.task.Task;
import io.penstock.spring.session.PenstockSessionRepository.PenstockSession;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;

/**
 * The cases that Spring Session tries its repository for databases with, each here on two servers, and those of two
 * requests at once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionRepositoryTest {
    List<Servers.Place> places() {
        return List.of(Servers.Place.MEMORY, Servers.Place.DIRECTORY);
    }

    private static void on(Servers.Place place, BiConsumer<PenstockSessionRepository, PenstockSessionRepository> test) {
        place.run(servers -> test.accept(
                new PenstockSessionRepository(servers.first()), new PenstockSessionRepository(servers.second())));
    }

    private static PenstockSession find(PenstockSessionRepository repository, String id) {
        PenstockSession found = repository.findById(id);
        assertThat(found).as(id).isNotNull();
        return found;
    }

    private static PenstockSession saved(PenstockSessionRepository repository, String... attributes) {
        PenstockSession session = repository.createSession();
        for (String name : attributes) {
            session.setAttribute(name, name + " of the first");
        }
        repository.save(session);
        return session;
    }

    @ParameterizedTest
    @MethodSource("places")
    void aSavedSessionIsFoundByTheOtherServer(Servers.Place place) {
        on(place, (first, second) -> {
            first.setDefaultMaxInactiveInterval(Duration.ofMinutes(45));
            PenstockSession session = first.createSession();
            assertThat(second.findById(session.getId())).isNull();
            session.setAttribute("name", "Ada");
            session.setAttribute("large", new byte[300_000]);
            session.setAttribute("list", new ArrayList<>(List.of(1, 2)));
            first.save(session);
            PenstockSession found = find(second, session.getId());
            assertThat(found.<String>getAttribute("name")).isEqualTo("Ada");
            assertThat(found.<byte[]>getAttribute("large")).hasSize(300_000);
            assertThat(found.<List<Integer>>getAttribute("list")).containsExactly(1, 2);
            assertThat(found.getAttributeNames()).isEqualTo(Set.of("name", "large", "list"));
            assertThat(found.<String>getAttribute("other")).isNull();
            assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(45));
            assertThat(found.getCreationTime()).isEqualTo(session.getCreationTime());
            Instant accessed = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            found.setLastAccessedTime(accessed);
            second.save(found);
            assertThat(find(first, session.getId()).getLastAccessedTime()).isEqualTo(accessed);
            second.deleteById(session.getId());
            assertThat(first.findById(session.getId())).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void attributesAreAddedChangedAndRemovedInAnyOrder(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = saved(first, "a", "b", "c");
            session.setAttribute("a", "2");
            session.removeAttribute("a");
            session.removeAttribute("b");
            session.setAttribute("b", "2");
            session.setAttribute("d", "1");
            session.setAttribute("d", null);
            session.setAttribute("e", "1");
            session.setAttribute("e", "2");
            session.removeAttribute("never there");
            first.save(session);
            PenstockSession found = find(second, session.getId());
            assertThat(found.getAttributeNames()).isEqualTo(Set.of("b", "c", "e"));
            assertThat(found.<String>getAttribute("b")).isEqualTo("2");
            assertThat(found.<String>getAttribute("e")).isEqualTo("2");
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void changesOfTwoRequestsBothSurvive(Servers.Place place) {
        on(place, (first, second) -> {
            String id = saved(first, "both", "gone", "left").getId();
            PenstockSession one = find(first, id);
            PenstockSession other = find(second, id);
            one.setAttribute("one", "1");
            one.setAttribute("both", "1");
            one.setAttribute("left", "1");
            one.setMaxInactiveInterval(Duration.ofHours(2));
            other.setAttribute("other", "2");
            other.setAttribute("both", "2");
            other.removeAttribute("gone");
            first.save(one);
            second.save(other);
            PenstockSession found = find(first, id);
            assertThat(found.getAttributeNames()).isEqualTo(Set.of("one", "other", "both", "left"));
            assertThat(found.<String>getAttribute("both")).isEqualTo("2");
            assertThat(found.<String>getAttribute("left")).isEqualTo("1");
            assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(2));
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void changesOfManyRequestsAtOnceAllSurvive(Servers.Place place) {
        place.run(SessionRepositoryTest::changeAtOnce);
    }

    static void changeAtOnce(Servers servers) {
        List<PenstockSessionRepository> repositories = List.of(
                new PenstockSessionRepository(servers.first()), new PenstockSessionRepository(servers.second()));
        String id = saved(repositories.getFirst()).getId();
        List<Task<?>> requests = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 16; i++) {
            PenstockSessionRepository repository = repositories.get(i % 2);
            String name = "request" + i;
            names.add(name);
            requests.add(servers.tasks().start(name, () -> {
                PenstockSession session = find(repository, id);
                session.setAttribute(name, name);
                session.setLastAccessedTime(Instant.now());
                repository.save(session);
            }));
        }
        requests.forEach(Task::join);
        assertThat(find(repositories.getLast(), id).getAttributeNames()).isEqualTo(names);
    }

    @ParameterizedTest
    @MethodSource("places")
    void anIdThatChangesTakesTheSessionAlong(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = first.createSession();
            String unsaved = session.getId();
            String old = session.changeSessionId();
            session.setAttribute("name", "Ada");
            first.save(session);
            PenstockSession found = find(second, old);
            String between = found.changeSessionId();
            String now = found.changeSessionId();
            found.setAttribute("more", "1");
            second.save(found);
            for (String gone : List.of(unsaved, old, between)) {
                assertThat(first.findById(gone)).isNull();
            }
            assertThat(find(first, now).getAttributeNames()).isEqualTo(Set.of("name", "more"));
            first.deleteById(now);
            assertThat(second.findById(now)).isNull();
        });
    }

    /** A login changes the id, for the old one may be known to others: it must not come back. */
    @ParameterizedTest
    @MethodSource("places")
    void aRequestOfTheOldIdKeepsTheNewOne(Servers.Place place) {
        on(place, (first, second) -> {
            String old = saved(first).getId();
            PenstockSession login = find(first, old);
            PenstockSession beside = find(second, old);
            String now = login.changeSessionId();
            first.save(login);
            beside.setAttribute("beside", "1");
            beside.setLastAccessedTime(Instant.now());
            second.save(beside);
            assertThat(second.findById(old)).isNull();
            assertThat(find(first, now).<String>getAttribute("beside")).isEqualTo("1");
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsDeletedIsNotSavedAgain(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = saved(first);
            PenstockSession beside = find(second, session.getId());
            first.deleteById(session.getId());
            beside.setLastAccessedTime(Instant.now());
            beside.setAttribute("beside", "1");
            second.save(beside);
            assertThat(first.findById(session.getId())).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aSessionExpiresWithoutRequests(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = first.createSession();
            session.setMaxInactiveInterval(Duration.ofMinutes(45));
            session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "Ada");
            session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(40)));
            first.save(session);
            find(second, session.getId());
            session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(46)));
            first.save(session);
            assertThat(second.findById(session.getId())).isNull();
            assertThat(second.findByPrincipalName("Ada")).isEmpty();
            // A request that had found it in time ends after its end.
            session.setLastAccessedTime(Instant.now());
            first.save(session);
            find(second, session.getId());
            session.setMaxInactiveInterval(Duration.ofSeconds(-1));
            session.setLastAccessedTime(Instant.EPOCH);
            first.save(session);
            find(second, session.getId());
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void theStoreDropsWhatHasExpired(Servers.Place place) {
        place.run(servers -> {
            PenstockSessionRepository repository = new PenstockSessionRepository(servers.first());
            String key = saved(repository).getId();
            PenstockSession lasting = repository.createSession();
            lasting.setMaxInactiveInterval(Duration.ofSeconds(-1));
            repository.save(lasting);
            servers.pass(Duration.ofMinutes(34));
            assertThat(servers.records().get(key)).isPresent();
            servers.pass(Duration.ofMinutes(2));
            assertThat(servers.records().get(key)).isEmpty();
            assertThat(servers.records().get(lasting.getId())).isPresent();
        });
    }

    /** Of the form that the index by name reads. */
    record SecurityContext(Authentication authentication) implements Serializable {
        public Authentication getAuthentication() {
            return authentication;
        }
    }

    record Authentication(String name) implements Serializable {
        public String getName() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void sessionsAreFoundByTheNameOfTheirUser(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession byName = first.createSession();
            byName.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "Ada");
            first.save(byName);
            PenstockSession bySecurity = first.createSession();
            bySecurity.setAttribute("SPRING_SECURITY_CONTEXT", new SecurityContext(new Authentication("Ada")));
            first.save(bySecurity);
            saved(first);
            assertThat(second.findByPrincipalName("Ada")).containsOnlyKeys(byName.getId(), bySecurity.getId());
            assertThat(second.findByPrincipalName("Bob")).isEmpty();
            assertThat(second.findByIndexNameAndIndexValue("other", "Ada")).isEmpty();

            PenstockSession found = find(second, byName.getId());
            found.setAttribute("other", "1");
            second.save(found);
            assertThat(first.findByPrincipalName("Ada")).hasSize(2);
            found.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "Bob");
            String now = found.changeSessionId();
            second.save(found);
            assertThat(first.findByPrincipalName("Ada")).containsOnlyKeys(bySecurity.getId());
            assertThat(first.findByPrincipalName("Bob")).containsOnlyKeys(now);
            found.removeAttribute(PRINCIPAL_NAME_INDEX_NAME);
            second.save(found);
            assertThat(first.findByPrincipalName("Bob")).isEmpty();
            first.deleteById(bySecurity.getId());
            assertThat(second.findByPrincipalName("Ada")).isEmpty();
        });
    }

    /** A value that was changed in place; the mode says whether that is saved. */
    @ParameterizedTest
    @EnumSource(SaveMode.class)
    void theSaveModeSaysWhatIsWritten(SaveMode mode) {
        on(Servers.Place.MEMORY, (first, second) -> {
            PenstockSession session = first.createSession();
            session.setAttribute("list", new ArrayList<>(List.of(1)));
            session.setAttribute("untouched", "1");
            first.save(session);
            first.setSaveMode(mode);
            PenstockSession one = find(first, session.getId());
            PenstockSession other = find(second, session.getId());
            one.<List<Integer>>getAttribute("list").add(2);
            other.setAttribute("untouched", "2");
            second.save(other);
            first.save(one);
            PenstockSession found = find(second, session.getId());
            assertThat(found.<List<Integer>>getAttribute("list"))
                    .isEqualTo(mode == SaveMode.ON_SET_ATTRIBUTE ? List.of(1) : List.of(1, 2));
            assertThat(found.<String>getAttribute("untouched")).isEqualTo(mode == SaveMode.ALWAYS ? "1" : "2");
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void changesAreWrittenAtOnceOnRequest(Servers.Place place) {
        on(place, (first, second) -> {
            first.setFlushMode(FlushMode.IMMEDIATE);
            PenstockSession session = first.createSession();
            find(second, session.getId());
            session.setAttribute("name", "Ada");
            assertThat(find(second, session.getId()).getAttributeNames()).containsExactly("name");
            session.removeAttribute("name");
            session.setMaxInactiveInterval(Duration.ofHours(1));
            String now = session.changeSessionId();
            PenstockSession found = find(second, now);
            assertThat(found.getAttributeNames()).isEmpty();
            assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aSessionIsNoPartOfTheTransactionOfItsRequest(Servers.Place place) {
        place.run(servers -> {
            PenstockSessionRepository first = new PenstockSessionRepository(servers.first());
            PenstockSessionRepository second = new PenstockSessionRepository(servers.second());
            String id = servers.first().transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
                String saved = saved(first, "name").getId();
                transaction.abort();
                return saved;
            });
            assertThat(find(second, id).getAttributeNames()).containsExactly("name");
            String read = servers.second().read(transaction -> {
                PenstockSession found = find(second, id);
                found.setAttribute("name", "Ada");
                second.save(found);
                return found.getId();
            });
            assertThat(find(first, read).<String>getAttribute("name")).isEqualTo("Ada");
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void anAttributeThatCannotBeSerializedFailsTheSave(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = saved(first, "name");
            session.setAttribute("thread", new Object());
            session.setAttribute("name", "Ada");
            assertThatThrownBy(() -> first.save(session)).hasStackTraceContaining("requires a Serializable payload");
            assertThat(find(second, session.getId()).<String>getAttribute("name"))
                    .isEqualTo("name of the first");
            session.removeAttribute("thread");
            first.save(session);
            assertThat(find(second, session.getId()).<String>getAttribute("name"))
                    .isEqualTo("Ada");
        });
    }

    /** A class that is gone must not end the session of who had an object of it. */
    @ParameterizedTest
    @MethodSource("places")
    void attributesAreReadWhenTheyAreAskedFor(Servers.Place place) {
        place.run(servers -> {
            PenstockSessionRepository first = new PenstockSessionRepository(servers.first());
            PenstockSession session = saved(first, "name");
            session.setAttribute("user", new Authentication("Ada"));
            first.save(session);
            PenstockSessionRepository other = new PenstockSessionRepository(servers.second(), new ClassLoader(null) {});
            PenstockSession found = find(other, session.getId());
            found.setAttribute("name", "Ada");
            other.save(found);
            assertThatThrownBy(() -> found.getAttribute("user")).hasRootCauseInstanceOf(ClassNotFoundException.class);
            PenstockSession whole = find(first, session.getId());
            assertThat(whole.<String>getAttribute("name")).isEqualTo("Ada");
            assertThat(whole.<Authentication>getAttribute("user")).isEqualTo(new Authentication("Ada"));
        });
    }

    /** Also if the later request ends first. */
    @ParameterizedTest
    @MethodSource("places")
    void theLaterOfTwoRequestsIsTheLastAccess(Servers.Place place) {
        on(place, (first, second) -> {
            String id = saved(first).getId();
            PenstockSession slow = find(first, id);
            slow.setLastAccessedTime(slow.getCreationTime().plusSeconds(1));
            PenstockSession quick = find(second, id);
            quick.setLastAccessedTime(quick.getCreationTime().plusSeconds(2));
            second.save(quick);
            first.save(slow);
            assertThat(find(first, id).getLastAccessedTime()).isEqualTo(quick.getLastAccessedTime());
        });
    }

    /** Longer than the servlet API can say. */
    @ParameterizedTest
    @MethodSource("places")
    void aSessionMayLiveAsLongAsAnyCanSay(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = first.createSession();
            session.setMaxInactiveInterval(Duration.ofSeconds(Long.MAX_VALUE));
            first.save(session);
            first.setDefaultMaxInactiveInterval(Duration.ofSeconds(Long.MAX_VALUE));
            PenstockSession other = saved(first);
            for (String id : List.of(session.getId(), other.getId())) {
                assertThat(find(second, id).getMaxInactiveInterval()).isEqualTo(Duration.ofSeconds(Integer.MAX_VALUE));
            }
        });
    }

    /** It began before another request changed the id, as one that logs in does. */
    @ParameterizedTest
    @MethodSource("places")
    void aRequestOfTheOldIdLogsOut(Servers.Place place) {
        on(place, (first, second) -> {
            String old = saved(first).getId();
            PenstockSession beside = find(second, old);
            PenstockSession session = find(first, old);
            String next = session.changeSessionId();
            first.save(session);
            second.deleteById(beside.getId());
            assertThat(first.findById(next)).isNull();
            assertThat(first.findById(old)).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRequestOfAnyEarlierIdLogsOut(Servers.Place place) {
        for (int began = 0; began < 3; began++) {
            int known = began;
            on(place, (first, second) -> {
                PenstockSession session = saved(first);
                List<String> ids = new ArrayList<>();
                for (int change = 0; change < 3; change++) {
                    ids.add(session.getId());
                    session.changeSessionId();
                    first.save(session);
                }
                assertThat(second.findById(ids.get(known))).isNull();
                second.deleteById(ids.get(known));
                assertThat(first.findById(session.getId())).isNull();
            });
        }
    }

    /** Two requests change the id at once; the one that is lost was sent to the browser. */
    @ParameterizedTest
    @MethodSource("places")
    void aRequestOfAnIdThatAnotherHasReplacedLogsOut(Servers.Place place) {
        on(place, (first, second) -> {
            String old = saved(first).getId();
            PenstockSession one = find(first, old);
            PenstockSession other = find(second, old);
            String lost = one.changeSessionId();
            String now = other.changeSessionId();
            first.save(one);
            second.save(other);
            first.deleteById(lost);
            assertThat(second.findById(now)).isNull();
        });
    }

    /** What it does goes on, so it learns how that ends. */
    @ParameterizedTest
    @MethodSource("places")
    void anInterruptedRequestSavesAndLogsOut(Servers.Place place) {
        on(place, (first, second) -> {
            PenstockSession session = first.createSession();
            Thread.currentThread().interrupt();
            first.save(session);
            assertThat(second.findById(session.getId())).isNotNull();
            first.deleteById(session.getId());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(second.findById(session.getId())).isNull();
        });
    }
}
