package io.penstock.core.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.queue.Receipt;
import io.penstock.testing.RecordedTasks;
import io.penstock.testing.ScriptedObjectStore;
import io.penstock.testing.ScriptedQueueService;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RequestMeters meters = new RequestMeters(registry, "checkpoint");
    private final RecordedTasks clock = new RecordedTasks(Duration.ofMillis(5));
    private final ScriptedObjectStore objects = new ScriptedObjectStore();
    private final ScriptedQueueService queues = new ScriptedQueueService();
    private final ObjectStore store = ObjectStores.metered(objects, meters, clock);
    private final QueueService service = QueueServices.metered(queues, meters, clock);

    private double requests(Operation operation) {
        return registry.get("penstock.requests")
                .tags("op", operation.tag(), "part", "checkpoint")
                .counter()
                .count();
    }

    private double units(Operation operation) {
        return registry.get("penstock.sqs.units")
                .tags("op", operation.tag(), "part", "checkpoint")
                .counter()
                .count();
    }

    private double bytes(String direction, String service) {
        return registry.get("penstock.bytes")
                .tags("direction", direction, "service", service, "part", "checkpoint")
                .counter()
                .count();
    }

    @Test
    void everyObjectCallIsCountedWithItsBytes() {
        store.get("a");
        store.getTimed("a");
        store.getRange("a", 0, 5);
        store.getIfChanged("a", new ObjectVersion("v"));
        store.getIfChanged("a", new ObjectVersion("older"));
        store.put("a", Bytes.utf8("1234567"), WriteCondition.ALWAYS);
        store.delete("a");
        store.list("", "", 1_000);
        assertThat(requests(Operation.S3_GET)).isEqualTo(5);
        assertThat(requests(Operation.S3_PUT)).isEqualTo(1);
        assertThat(requests(Operation.S3_DELETE)).isEqualTo(1);
        assertThat(requests(Operation.S3_LIST)).isEqualTo(1);
        assertThat(bytes("out", "s3")).isEqualTo(20);
        assertThat(bytes("in", "s3")).isEqualTo(7);
    }

    @Test
    void manyKeysAreSeveralRequests() {
        store.deleteAll(Collections.nCopies(1_000, "a"));
        assertThat(requests(Operation.S3_DELETE)).isEqualTo(1);
        store.deleteAll(Collections.nCopies(1_001, "a"));
        assertThat(requests(Operation.S3_DELETE)).isEqualTo(3);
        store.deleteAll(List.of());
        assertThat(requests(Operation.S3_DELETE)).isEqualTo(3);
        store.list("", "", 2_500);
        assertThat(requests(Operation.S3_LIST)).isEqualTo(3);
    }

    @Test
    void failedRequestsCountAsWell() {
        objects.failing(new ConflictException("taken"), new UnavailableException("throttled"));
        assertThatThrownBy(() -> store.put("a", Bytes.utf8("123"), WriteCondition.IF_ABSENT))
                .isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> store.get("a")).isInstanceOf(UnavailableException.class);
        assertThat(requests(Operation.S3_PUT)).isEqualTo(1);
        assertThat(requests(Operation.S3_GET)).isEqualTo(1);
        assertThat(bytes("in", "s3")).isEqualTo(3);
        assertThat(bytes("out", "s3")).isZero();
        MessageQueue queue = service.create("q", QueueAttributes.STANDARD);
        queues.failing(new UnavailableException("throttled"));
        assertThatThrownBy(() -> queue.receive(1, Duration.ZERO, Duration.ZERO))
                .isInstanceOf(UnavailableException.class);
        assertThat(requests(Operation.SQS_RECEIVE)).isEqualTo(1);
        assertThat(units(Operation.SQS_RECEIVE)).isEqualTo(1);
    }

    @Test
    void queueCallsAreCountedWithBytesAndUnits() {
        MessageQueue queue = service.create("q", QueueAttributes.STANDARD);
        queue.send(List.of(Bytes.wrap(new byte[60 << 10]), Bytes.wrap(new byte[5 << 10])));
        queue.send(List.of(Bytes.utf8("small")));
        assertThat(units(Operation.SQS_SEND)).isEqualTo(3);
        assertThat(requests(Operation.SQS_SEND)).isEqualTo(2);
        assertThat(bytes("in", "sqs")).isEqualTo((65 << 10) + 5);
        queue.receive(1, Duration.ZERO, Duration.ZERO);
        assertThat(units(Operation.SQS_RECEIVE)).isEqualTo(1);
        Bytes body = Bytes.wrap(new byte[64 << 10]);
        Delivery delivery = new Delivery("id", new Receipt("r"), body, 0, 1);
        queues.delivering(List.of(delivery, delivery));
        queue.receive(2, Duration.ZERO, Duration.ZERO);
        assertThat(units(Operation.SQS_RECEIVE)).isEqualTo(3);
        assertThat(bytes("out", "sqs")).isEqualTo(128 << 10);
        queue.delete(List.of(new Receipt("r")));
        assertThat(requests(Operation.SQS_DELETE)).isEqualTo(1);
        assertThat(units(Operation.SQS_DELETE)).isEqualTo(1);
    }

    @Test
    void administrationIsOther() {
        service.create("q", QueueAttributes.STANDARD);
        service.list("");
        service.delete("q");
        MessageQueue queue = service.find("q").orElseThrow();
        queue.depth();
        queue.changeVisibility(new Receipt("r"), Duration.ZERO);
        assertThat(requests(Operation.SQS_OTHER)).isEqualTo(6);
        assertThat(units(Operation.SQS_OTHER)).isEqualTo(6);
        assertThat(queue.name()).isEqualTo("q");
        assertThat(service.limits()).isEqualTo(queues.limits());
    }

    @Test
    void callsAreTimedByTheInjectedClock() {
        store.get("a");
        Timer timer = registry.get("penstock.request.duration")
                .tags("op", "s3.get", "part", "checkpoint")
                .timer();
        assertThat(timer.count()).isEqualTo(1);
        assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5);
    }

    @Test
    void partsOfTheSameNameShareTheirMeters() {
        new RequestMeters(registry, "checkpoint").retried(Operation.S3_PUT);
        meters.retried(Operation.S3_PUT);
        new RequestMeters(registry, "transaction").retried(Operation.S3_PUT);
        assertThat(registry.get("penstock.retries")
                        .tags("op", "s3.put", "part", "checkpoint")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void closesWhatIsBelow() {
        store.close();
        service.close();
        assertThat(objects.calls()).containsExactly("close");
        assertThat(queues.calls()).containsExactly("close");
    }
}
