package io.penstock.cli.doctor;

import io.penstock.Provisioning;
import io.penstock.cli.access.AccessPolicy;
import io.penstock.cli.access.AccessRole;
import io.penstock.cli.access.StoreLocation;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tries the rights that {@link AccessPolicy} gives to a client that checkpoints, folder by folder. Objects are written
 * over a version that never was, which shows the right and writes nothing; so the object store must heed conditions.
 */
final class RightsProbes {
    private static final String BUCKET = "doctor";

    /** The kinds of queues that the roles may make and remove. */
    private static final List<String> KINDS = List.of("at", "lk", "pu");

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final int RECEIVES = 3;

    private final Place place;
    private final String name;
    private final List<String> lacking = new ArrayList<>();

    RightsProbes(Place place) {
        this.place = place;
        this.name = place.drawName();
    }

    List<Finding> run() {
        List<Finding> found = new ArrayList<>();
        found.add(Finding.of("rights on objects", this::objects));
        place.queues().ifPresent(queues -> found.add(Finding.of("rights on queues", () -> queues(queues))));
        return found;
    }

    private Finding objects() {
        lacking.clear();
        String root = "arn:aws:s3:::" + BUCKET + "/" + place.prefix() + "/";
        rights().forEach((right, roles) -> {
            String resource = right.substring(right.indexOf(' ') + 1);
            if (resource.startsWith(root) && resource.endsWith("/*")) {
                String folder = resource.substring(root.length(), resource.length() - 1);
                String action = right.substring(0, right.indexOf(' '));
                may(action + " on " + folder + "* (" + String.join(", ", roles) + ")", () -> use(action, folder));
            }
        });
        return Judgement.lacking("rights on objects", lacking);
    }

    /** Returns who needs what: roles by action and resource. */
    private Map<String, List<String>> rights() {
        StoreLocation store = new StoreLocation("aws", "*", "*", BUCKET, place.prefix());
        Map<String, List<String>> rights = new TreeMap<>();
        for (AccessRole role : List.of(AccessRole.WRITER, AccessRole.CHECKPOINTER)) {
            AccessPolicy.of(role, store, Provisioning.CREATE, false)
                    .statements()
                    .forEach(statement -> statement
                            .actions()
                            .forEach(action -> statement
                                    .resources()
                                    .forEach(resource -> rights.computeIfAbsent(
                                                    action + " " + resource, each -> new ArrayList<>())
                                            .add(role.name().toLowerCase(Locale.ROOT)))));
        }
        return rights;
    }

    private void use(String action, String folder) {
        String key = place.prefix() + "/" + folder + name;
        switch (action) {
            case "s3:PutObject" -> {
                boolean unused = new ObjectProbe(place.objects(), key).refusesForeign(Bytes.EMPTY);
            }
            case "s3:DeleteObject" -> place.objects().delete(key);
            case "s3:AbortMultipartUpload" ->
                place.objects().upload(key, 1 << 23).abort();
            default -> {} // reads, which were tried before
        }
    }

    /** Uses a right, and notes it as lacking when it is denied. */
    private boolean may(String right, Runnable use) {
        try {
            use.run();
            return true;
        } catch (StoreException failure) {
            if (failure.code() != ErrorCode.ACCESS_DENIED) {
                throw failure;
            }
            lacking.add(right);
            return false;
        }
    }

    private Finding queues(QueueService queues) {
        lacking.clear();
        KINDS.forEach(kind -> queue(queues, place.prefix() + "-" + kind + "-"));
        return Judgement.lacking("rights on queues", lacking);
    }

    private void queue(QueueService queues, String prefix) {
        String queue = prefix + name.replace('.', '-');
        if (!may("sqs:CreateQueue on " + prefix + "*", () -> queues.create(queue, QueueAttributes.STANDARD))) {
            return;
        }
        try {
            may("sqs:GetQueueUrl on " + prefix + "*", () -> queues.find(queue).ifPresent(found -> use(found, prefix)));
        } finally {
            may(
                    "sqs:DeleteQueue on " + prefix + "* (the queue " + queue + " is left; remove it)",
                    () -> queues.delete(queue));
        }
    }

    private void use(MessageQueue queue, String prefix) {
        String on = " on " + prefix + "*";
        may("sqs:GetQueueAttributes" + on, queue::depth);
        boolean sent = may("sqs:SendMessage" + on, () -> queue.send(List.of(Bytes.utf8("doctor\n"))));
        List<Delivery> received = new ArrayList<>();
        may("sqs:ReceiveMessage" + on, () -> {
            for (int i = 0; i < RECEIVES && received.isEmpty(); i++) {
                received.addAll(queue.receive(1, Duration.ofSeconds(30), WAIT));
            }
        });
        if (sent && received.isEmpty() && lacking.isEmpty()) {
            throw new UnavailableException(
                    "a message that was sent did not arrive in time; run the doctor again", "queue", queue.name());
        }
        for (Delivery message : received) {
            may(
                    "sqs:ChangeMessageVisibility" + on,
                    () -> queue.changeVisibility(message.receipt(), Duration.ofSeconds(30)));
            may("sqs:DeleteMessage" + on, () -> queue.delete(List.of(message.receipt())));
        }
    }
}
