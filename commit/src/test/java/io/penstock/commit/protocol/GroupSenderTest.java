package io.penstock.commit.protocol;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.queue.SendResult;
import io.penstock.core.record.RecordChange;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Task;
import io.penstock.testing.InlineTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class GroupSenderTest {
    private static final ClientId CLIENT = new ClientId(1);
    private static final QueueLimits LIMITS = new QueueLimits(3, 4096, 2048);
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final InlineTasks tasks = new InlineTasks(1);
    private final RecordingQueue queue = new RecordingQueue(tasks);

    @Test
    void numbersFollowTheOrderOfSending() {
        GroupSender<LogRecord> sender = ordered(UNLIMITED);
        assertThat(sender.send(records("a", 3, 10))).isEqualTo(new GroupSender.Range(1, 3));
        assertThat(sender.send(records("b", 1, 10))).isEqualTo(new GroupSender.Range(4, 4));
        assertThat(firstNumbers()).containsExactly(1L, 4L);
        assertThat(queue.calls).hasSize(2);
    }

    @Test
    void nothingToSendIsNoCall() {
        ordered(UNLIMITED).send(List.of());
        assertThat(queue.calls).isEmpty();
    }

    @Test
    void aBatchHoldsAtMostItsEntriesAndBytes() {
        GroupSender<LogRecord> sender = ordered(1);
        assertThat(sender.send(records("a", 8, 10))).isEqualTo(new GroupSender.Range(1, 8));
        assertThat(queue.calls).extracting(List::size).containsExactly(3, 3, 2);
        queue.calls.clear();
        sender.send(records("b", 5, 1500));
        assertThat(queue.calls).extracting(List::size).containsExactly(2, 2, 1);
        for (List<Bytes> call : queue.calls) {
            assertThat(call.stream().mapToInt(Bytes::length).sum()).isLessThanOrEqualTo(LIMITS.batchBytes());
            assertThat(call).allMatch(message -> message.length() <= LIMITS.messageBytes());
        }
    }

    @Test
    void aMessageIsFilledUp() {
        ordered(UNLIMITED).send(records("a", 60, 10));
        assertThat(queue.calls).hasSize(1);
        assertThat(queue.calls.getFirst()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void anItemThatIsTooLargeIsRefusedAloneAndNothingIsBroken() {
        GroupSender<LogRecord> sender = ordered(UNLIMITED);
        assertThatThrownBy(() -> sender.send(records("a", 1, 3000)))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.TOO_LARGE))
                .hasMessageContaining("messageBytes=2048");
        assertThat(queue.calls).isEmpty();
        assertThat(sender.isBroken()).isFalse();
        assertThat(sender.send(records("b", 1, 10))).isEqualTo(new GroupSender.Range(1, 1));
    }

    @Test
    void aTooLargeItemBehindOthersLeavesTheOutcomeUnknown() {
        GroupSender<LogRecord> sender = ordered(UNLIMITED);
        List<LogRecord> items = new ArrayList<>(records("a", 1, 10));
        items.addAll(records("b", 1, 3000));
        assertThatThrownBy(() -> sender.send(items)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(sender.send(records("c", 1, 10))).isEqualTo(new GroupSender.Range(2, 2));
    }

    @Test
    void anUnknownOutcomeBreaksAnOrderedSenderForGood() {
        GroupSender<LogRecord> sender = ordered(UNLIMITED);
        queue.answering(bodies -> {
            throw new OutcomeUnknownException("timed out");
        });
        assertThatThrownBy(() -> sender.send(records("a", 1, 10))).isInstanceOf(OutcomeUnknownException.class);
        assertThat(sender.isBroken()).isTrue();
        assertThatThrownBy(() -> sender.send(records("b", 1, 10))).isInstanceOf(UnavailableException.class);
        assertThat(queue.calls).hasSize(1);
    }

    /** What certainly did not arrive leaves no hole: its numbers go to what is sent next. */
    @Test
    void anOrderedSenderGivesOutTheNumbersOfAFailedSendAgain() {
        GroupSender<LogRecord> sender = ordered(UNLIMITED);
        sender.send(records("a", 2, 10));
        queue.answering(bodies -> {
            throw new UnavailableException("throttled");
        });
        assertThatThrownBy(() -> sender.send(records("b", 3, 10))).isInstanceOf(UnavailableException.class);
        assertThat(sender.isBroken()).isFalse();
        assertThat(sender.send(records("c", 1, 10))).isEqualTo(new GroupSender.Range(3, 3));
    }

    @Test
    void anUnorderedSenderGoesOn() {
        GroupSender<LogRecord> sender = new GroupSender<>(tasks, queue, () -> LIMITS, format(UNLIMITED), 4);
        queue.answering(bodies -> {
            throw new UnavailableException("throttled");
        });
        assertThatThrownBy(() -> sender.send(records("a", 1, 10))).isInstanceOf(UnavailableException.class);
        assertThat(sender.isBroken()).isFalse();
        sender.send(records("b", 1, 10));
        assertThat(queue.calls).hasSize(2);
    }

    @Test
    void aLoneMessageThatIsNotTakenWasNotSent() {
        queue.answering(bodies -> List.of(new SendResult.NotSent(false, "Busy")));
        assertThatThrownBy(() -> ordered(UNLIMITED).send(records("a", 1, 10)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("reason=Busy");
    }

    @Test
    void aPartOfABatchThatIsNotTakenIsAnUnknownOutcome() {
        queue.answering(bodies -> List.of(new SendResult.Sent("1"), new SendResult.NotSent(false, "Busy")));
        GroupSender<LogRecord> sender = ordered(1);
        assertThatThrownBy(() -> sender.send(records("a", 2, 10)))
                .isInstanceOf(OutcomeUnknownException.class)
                .is(code(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(sender.isBroken()).isTrue();
    }

    @Test
    void aFailureAfterSomeWasSentIsAnUnknownOutcome() {
        queue.answering(RecordingQueue::sent).answering(bodies -> {
            throw new UnavailableException("throttled");
        });
        GroupSender<LogRecord> sender = ordered(1);
        assertThatThrownBy(() -> sender.send(records("a", 5, 10))).isInstanceOf(OutcomeUnknownException.class);
        assertThat(queue.calls).hasSize(2);
    }

    @Test
    void anUnexpectedExceptionIsAnUnknownOutcome() {
        queue.answering(bodies -> {
            throw new IllegalStateException("a bug");
        });
        assertThatThrownBy(() -> ordered(UNLIMITED).send(records("a", 1, 10)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasRootCauseMessage("a bug");
    }

    @Test
    void callersShareCallsWithOneInFlight() {
        inSimulation(machine -> {
            RecordingQueue shared = new RecordingQueue(machine);
            GroupSender<LogRecord> sender = new GroupSender<>(machine, shared, () -> LIMITS, format(UNLIMITED), 1);
            sendFrom(machine, sender, 12);
            assertThat(shared.underWayMax).isEqualTo(1);
            assertThat(shared.calls).hasSize(2);
            assertNumbers(shared, 12);
        });
    }

    /** More callers than calls in flight: callers whose items travel in another's call must wait, not spin. */
    @Test
    void callersWhoseItemsTravelWithOthersWait() {
        inSimulation(machine -> {
            RecordingQueue shared = new RecordingQueue(machine);
            GroupSender<LogRecord> sender = new GroupSender<>(machine, shared, () -> LIMITS, format(UNLIMITED), 4);
            sendFrom(machine, sender, 12);
            assertThat(shared.underWayMax).isBetween(1, 4);
            assertThat(shared.calls).hasSizeLessThan(12);
        });
    }

    /** One failed call fails all waiting callers: they need not fail one by one, each after its own time-out. */
    @Test
    void callersThatWaitForAFailedQueueAreRefused() {
        inSimulation(machine -> {
            for (int inFlight : List.of(1, 4)) {
                RecordingQueue away = new RecordingQueue(machine);
                for (int i = 0; i < 100; i++) {
                    away.answering(bodies -> {
                        throw new OutcomeUnknownException("silence");
                    });
                }
                GroupSender<LogRecord> sender = new GroupSender<>(machine, away, () -> LIMITS, format(1), inFlight);
                List<Task<Throwable>> callers = new ArrayList<>();
                for (int c = 0; c < 50; c++) {
                    List<LogRecord> items = records("c" + c, 1, 1000);
                    callers.add(machine.fork("c" + c, () -> catchThrowable(() -> sender.send(items))));
                }
                List<Throwable> failures = callers.stream().map(Task::join).toList();
                assertThat(away.calls).hasSize(inFlight);
                long sent = away.calls.stream().mapToInt(List::size).sum();
                assertThat(failures)
                        .filteredOn(OutcomeUnknownException.class::isInstance)
                        .hasSize((int) sent);
                assertThat(failures)
                        .filteredOn(UnavailableException.class::isInstance)
                        .hasSize(50 - (int) sent);
            }
        });
    }

    /**
     * Two calls with items of one caller: it may be that some were sent, even if the first call says that none were.
     */
    @Test
    void aCallerWithTwoCallsUnderWayHearsTheWorseOfTheirOutcomes() {
        inSimulation(machine -> {
            RecordingQueue away = new RecordingQueue(machine);
            away.answering(bodies -> {
                throw new UnavailableException("throttled");
            });
            away.answering(bodies -> {
                throw new OutcomeUnknownException("silence");
            });
            GroupSender<LogRecord> sender = new GroupSender<>(machine, away, () -> LIMITS, format(1), 2);
            List<LogRecord> large = records("large", 6, 1000);
            Task<Throwable> first = machine.fork("first", () -> catchThrowable(() -> sender.send(large)));
            Task<Throwable> second =
                    machine.fork("second", () -> catchThrowable(() -> sender.send(records("s", 1, 10))));
            assertThat(first.join()).isInstanceOf(OutcomeUnknownException.class);
            assertThat(second.join()).isInstanceOf(UnavailableException.class);
            assertThat(away.underWayMax).isEqualTo(2);
        });
    }

    private static void sendFrom(SimulatedClient machine, GroupSender<LogRecord> sender, int callers) {
        List<Task<Boolean>> started = new ArrayList<>();
        for (int c = 0; c < callers; c++) {
            String name = "c" + c;
            started.add(machine.start(name, () -> sender.send(records(name, 1, 10))));
        }
        started.forEach(Task::join);
    }

    /** While a call hangs, callers gather, and one that exceeds the bound is refused. */
    @Test
    void whatWaitsIsBounded() {
        int payloadBytes = 9 << 20;
        QueueLimits large = new QueueLimits(10, 64 << 20, 16 << 20);
        inSimulation(machine -> {
            RecordingQueue slow = new RecordingQueue(machine);
            GroupSender<LogRecord> sender =
                    new GroupSender<>(machine, slow, () -> large, new PuFormat(CLIENT, true, UNLIMITED, null), 1);
            AtomicInteger sent = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            List<LogRecord> item = records("x", 1, payloadBytes);
            List<Task<Boolean>> callers = new ArrayList<>();
            for (int c = 0; c < 20; c++) {
                callers.add(machine.start("c" + c, () -> {
                    try {
                        sender.send(item);
                        sent.incrementAndGet();
                    } catch (UnavailableException e) {
                        assertThat(e).is(code(ErrorCode.BACKLOG_FULL));
                        refused.incrementAndGet();
                    }
                }));
            }
            machine.sleep(Duration.ofMillis(1));
            assertThat(sender.waitingBytes()).isBetween(1L, GroupSender.WAITING_BYTES_MAX);
            callers.forEach(Task::join);
            assertThat(sent).hasValue(7);
            assertThat(refused).hasValue(13);
            assertThat(sender.isBroken()).as("who is refused leaves no gap").isFalse();
            assertThat(sender.waitingBytes()).isZero();
            sender.send(records("y", 1, 10));
        });
    }

    private static void inSimulation(Consumer<SimulatedClient> body) {
        Simulation simulation = new Simulation(1);
        simulation.run(() -> {
            body.accept(simulation.client("m"));
            return true;
        });
    }

    /**
     * Every submitter gets an outcome; the queue holds what was acknowledged; no message lies behind a gap that is not
     * the end.
     */
    @Test
    void roughWeatherWithManyCallers() {
        for (long seed = 1; seed <= 60; seed++) {
            rough(seed, 1);
            rough(seed, 4);
        }
    }

    private static void rough(long seed, int inFlight) {
        String run = "seed=" + seed + " inFlight=" + inFlight;
        Simulation simulation = new Simulation(seed);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.ROUGH);
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("m");
            MessageQueue queue = create(cloud, machine, seed % 2 == 0 ? RetryPolicy.STANDARD : RetryPolicy.NONE);
            GroupSender<LogRecord> sender = new GroupSender<>(
                    machine, queue, () -> LIMITS, new PuFormat(CLIENT, inFlight == 1, UNLIMITED, null), inFlight);
            Map<String, Boolean> acknowledged = new HashMap<>();
            AtomicInteger outcomes = new AtomicInteger();
            List<Task<Boolean>> callers = new ArrayList<>();
            for (int c = 0; c < 8; c++) {
                String name = "c" + c;
                callers.add(machine.start(name, () -> {
                    for (int i = 0; i < 6; i++) {
                        List<LogRecord> items = records(name + "." + i + ".", 1 + i, 40);
                        Throwable failure = catchThrowable(() -> sender.send(items));
                        assertThat(failure == null || failure instanceof StoreException)
                                .as(run)
                                .isTrue();
                        outcomes.incrementAndGet();
                        if (failure == null) {
                            items.forEach(
                                    item -> acknowledged.put(item.change().key().toUtf8(), true));
                        } else if (failure instanceof UnavailableException) {
                            items.forEach(
                                    item -> acknowledged.put(item.change().key().toUtf8(), false));
                        }
                        machine.sleep(Duration.ofMillis(5 * i));
                    }
                }));
            }
            callers.forEach(Task::join);
            assertThat(outcomes).as(run).hasValue(48);
            cloud.setWorld(World.CALM);
            verify(drain(queue, machine), acknowledged, sender.isBroken(), inFlight == 1, run);
            return true;
        });
    }

    private static MessageQueue create(SimulatedCloud cloud, SimulatedClient machine, RetryPolicy policy) {
        RequestMeters meters = new RequestMeters(new SimpleMeterRegistry(), "test");
        while (true) {
            try {
                return QueueServices.retrying(cloud.queues(machine), policy, machine, meters)
                        .create("q", QueueAttributes.STANDARD);
            } catch (StoreException e) {
                machine.sleep(Duration.ofSeconds(1));
            }
        }
    }

    private static List<PuMessage> drain(MessageQueue queue, SimulatedClient machine) {
        List<PuMessage> messages = new ArrayList<>();
        machine.sleep(Duration.ofSeconds(5));
        for (List<Delivery> found = queue.receive(3, Duration.ofHours(1), Duration.ZERO);
                !found.isEmpty();
                found = queue.receive(3, Duration.ofHours(1), Duration.ZERO)) {
            found.forEach(delivery -> messages.add(PuMessage.decode(delivery.body(), "q")));
        }
        return messages;
    }

    private static void verify(
            List<PuMessage> messages, Map<String, Boolean> acknowledged, boolean broken, boolean ordered, String run) {
        Map<String, Long> found = new HashMap<>();
        TreeMap<Long, Long> numbers = new TreeMap<>();
        for (PuMessage message : messages) {
            for (int i = 0; i < message.records().size(); i++) {
                String key = message.records().get(i).change().key().toUtf8();
                Long before = found.put(key, message.first() + i);
                if (ordered) {
                    assertThat(before == null || before == message.first() + i)
                            .as(run)
                            .isTrue();
                }
            }
            numbers.merge(message.first(), message.last(), Math::max);
        }
        acknowledged.forEach((key, there) ->
                assertThat(found.containsKey(key)).as(run + " key=" + key).isEqualTo(there));
        if (ordered && !broken) {
            long next = 1;
            for (Map.Entry<Long, Long> span : numbers.entrySet()) {
                assertThat(span.getKey()).as(run).isEqualTo(next);
                next = span.getValue() + 1;
            }
        }
    }

    private List<Long> firstNumbers() {
        return queue.calls.stream()
                .flatMap(List::stream)
                .map(message -> PuMessage.decode(message, "q").first())
                .toList();
    }

    private static void assertNumbers(RecordingQueue queue, long count) {
        long next = 1;
        for (List<Bytes> call : queue.calls) {
            for (Bytes body : call) {
                PuMessage message = PuMessage.decode(body, "q");
                assertThat(message.first()).isEqualTo(next);
                next = message.last() + 1;
            }
        }
        assertThat(next).isEqualTo(count + 1);
    }

    private GroupSender<LogRecord> ordered(int itemsMax) {
        return new GroupSender<>(tasks, queue, () -> LIMITS, format(itemsMax), 1);
    }

    private static PuFormat format(int itemsMax) {
        return new PuFormat(CLIENT, true, itemsMax, null);
    }

    private static List<LogRecord> records(String prefix, int count, int payloadBytes) {
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Bytes payload = Bytes.wrap(new byte[payloadBytes]);
            records.add(new LogRecord(
                    new TreeId(1), new RecordChange.Put(Bytes.utf8(prefix + i), payload, Stamp.of(1, 0, CLIENT))));
        }
        return records;
    }
}
