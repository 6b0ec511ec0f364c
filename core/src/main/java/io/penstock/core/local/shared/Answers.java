package io.penstock.core.local.shared;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The owner's answers to one connection. Safe for use by many threads. */
final class Answers {
    private final ObjectStore objects;
    private final QueueService queues;
    private final Supplier<List<String>> damage;

    /** By the numbers that the other end has given them, none of them twice. */
    private final Map<Long, ObjectUpload> uploads = new ConcurrentHashMap<>();

    Answers(ObjectStore objects, QueueService queues, Supplier<List<String>> damage) {
        this.objects = objects;
        this.queues = queues;
        this.damage = damage;
    }

    /**
     * Makes the call.
     *
     * @throws ClassCastException when the arguments are not those of the call
     */
    @Nullable
    Object to(Call call, Arguments with) {
        return switch (call) {
            case GET -> objects.get(with.text(0));
            case LOOK -> objects.getTimed(with.text(0));
            case GET_RANGE -> objects.getRange(with.text(0), with.get(1, Long.class), with.get(2, Integer.class));
            case GET_IF_CHANGED -> objects.getIfChanged(with.text(0), with.get(1, ObjectVersion.class));
            case PUT -> objects.put(with.text(0), with.get(1, Bytes.class), with.get(2, WriteCondition.class));
            case DELETE -> done(() -> objects.delete(with.text(0)));
            case DELETE_ALL -> done(() -> objects.deleteAll(with.list(0, String.class)));
            case LIST -> objects.list(with.text(0), with.text(1), with.get(2, Integer.class));
            case BEGIN_UPLOAD ->
                done(() ->
                        uploads.put(with.get(0, Long.class), objects.upload(with.text(1), with.get(2, Integer.class))));
            case UPLOAD_PART -> done(() -> upload(with).part(with.get(1, Integer.class), with.get(2, Bytes.class)));
            case COMPLETE_UPLOAD -> done(() -> upload(with).complete(with.get(1, Integer.class)));
            case ABORT_UPLOAD -> done(() -> end(with));
            case CREATE_QUEUE ->
                queues.create(with.text(0), with.get(1, QueueAttributes.class)).name();
            case FIND_QUEUE -> queues.find(with.text(0)).map(MessageQueue::name);
            case LIST_QUEUES -> queues.list(with.text(0));
            case DELETE_QUEUE -> done(() -> queues.delete(with.text(0)));
            case QUEUE_LIMITS -> queues.limits();
            case SEND -> queue(with).send(with.list(1, Bytes.class));
            case RECEIVE ->
                queue(with)
                        .receive(with.get(1, Integer.class), with.get(2, Duration.class), with.get(3, Duration.class));
            case DELETE_MESSAGES -> queue(with).delete(with.list(1, Receipt.class));
            case CHANGE_VISIBILITY ->
                done(() -> queue(with).changeVisibility(with.get(1, Receipt.class), with.get(2, Duration.class)));
            case DEPTH -> queue(with).depth();
            case CONFIGURATION -> queue(with).configuration();
            case DAMAGE -> damage.get();
        };
    }

    private static @Nullable Object done(Runnable call) {
        call.run();
        return null;
    }

    private ObjectUpload upload(Arguments with) {
        ObjectUpload upload = uploads.get(with.get(0, Long.class));
        if (upload == null) {
            throw new UnavailableException("the upload was ended, or its connection broke; begin it again");
        }
        return upload;
    }

    private void end(Arguments with) {
        ObjectUpload upload = uploads.remove(with.get(0, Long.class));
        if (upload != null) {
            upload.abort();
        }
    }

    private MessageQueue queue(Arguments with) {
        return queues.find(with.text(0))
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.QUEUE_NOT_FOUND, "there is no such queue; it was deleted", "queue", with.text(0)));
    }

    /** Drops what the other end has begun and not ended. */
    void end() {
        uploads.values().forEach(ObjectUpload::abort);
    }

    /** The arguments of a call, by their place. */
    record Arguments(List<?> all) {
        <T> T get(int place, Class<T> type) {
            return type.cast(Objects.requireNonNull(all.get(place)));
        }

        String text(int place) {
            return get(place, String.class);
        }

        <T> List<T> list(int place, Class<T> type) {
            return ((List<?>) get(place, List.class)).stream().map(type::cast).toList();
        }
    }
}
