package io.penstock.cli.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The least IAM policy of one role on a store. The order of its statements is fixed, so that two printed policies can
 * be compared.
 *
 * <p>Three facts of AWS shape it. S3 answers a read of a missing object with 404 only to a caller that may list the
 * bucket, else with 403. A list right with a condition on the prefix does not count for that, so the list right has
 * none. A put with If-Match needs {@code s3:GetObject} too. {@code sqs:ListQueues} cannot be granted for single queues.
 * (S3 user guide, "Conditional writes" and GetObject; Service Authorization Reference, Amazon SQS.)
 */
@JsonPropertyOrder({"Version", "Statement"})
public record AccessPolicy(
        @JsonProperty("Version") String version,
        @JsonProperty("Statement") List<Statement> statements) {
    /** The version of the policy language. */
    private static final String LANGUAGE = "2012-10-17";

    /** A grant of actions on resources. */
    @JsonPropertyOrder({"Sid", "Effect", "Action", "Resource", "Condition"})
    public record Statement(
            @JsonProperty("Sid") String id,
            @JsonProperty("Effect") String effect,
            @JsonProperty("Action") List<String> actions,
            @JsonProperty("Resource") List<String> resources,

            @JsonProperty("Condition") @JsonInclude(JsonInclude.Include.NON_EMPTY)
            Map<String, Map<String, String>> condition) {
        public Statement {
            actions = List.copyOf(actions);
            resources = List.copyOf(resources);
            condition = Map.copyOf(condition);
        }
    }

    public AccessPolicy {
        statements = List.copyOf(statements);
    }

    /**
     * The least policy for a role.
     *
     * @param provisioning whether the role may create what the store's clients share
     * @param naive whether transactions may run at NAIVE, which writes pages itself
     */
    public static AccessPolicy of(AccessRole role, StoreLocation store, Provisioning provisioning, boolean naive) {
        boolean creates = provisioning == Provisioning.CREATE;
        return new AccessPolicy(
                LANGUAGE,
                switch (role) {
                    case WRITER -> writer(store, creates, naive);
                    case CHECKPOINTER -> checkpointer(store, creates);
                    case READER -> reader(store);
                    case OPERATOR -> operator(store);
                    case BACKUP -> backup(store);
                });
    }

    private static List<Statement> reader(StoreLocation store) {
        List<Statement> all = reading(store);
        if (store.isLogExpress()) {
            all.add(readingSession(store));
        }
        all.add(listingQueues());
        all.add(allow("SeeQueues", List.of("sqs:GetQueueAttributes", "sqs:GetQueueUrl"), queues(store, "at", "pu")));
        return all;
    }

    private static List<Statement> writer(StoreLocation store, boolean creates, boolean naive) {
        List<Statement> all = reading(store);
        all.add(signsOfLife(store));
        all.add(allow(
                "WriteLargePayloads",
                List.of("s3:AbortMultipartUpload", "s3:PutObject"),
                List.of(store.objectArn("overflow/*"))));
        all.addAll(writingLogs(
                store,
                allow(
                        "CommitToLogs",
                        List.of("s3:PutObject"),
                        List.of(store.logArn("log/*"), store.logArn("domains/*"))),
                allow("WithdrawFromLogs", List.of("s3:DeleteObject"), List.of(store.logArn("log/*")))));
        if (naive) {
            all.add(writingPages(store));
        }
        if (creates) {
            all.addAll(creating(store));
        }
        all.add(quarantine(store));
        // Once a day it looks for queues of clients whose objects are lost.
        all.add(listingQueues());
        all.add(allow("FindQueues", List.of("sqs:GetQueueUrl"), queues(store, "in", "lk", "pu")));
        all.add(allow(
                "HandIn",
                List.of("sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:ReceiveMessage", "sqs:SendMessage"),
                queues(store, "in")));
        all.add(allow("SendRecords", List.of("sqs:GetQueueAttributes", "sqs:SendMessage"), queues(store, "pu")));
        all.add(allow("OwnAtomicQueue", List.of("sqs:CreateQueue", "sqs:SendMessage"), queues(store, "at")));
        all.add(emptyingAtomicQueues(store));
        return all;
    }

    private static List<Statement> creating(StoreLocation store) {
        return List.of(
                allow(
                        "DefineCollections",
                        List.of("s3:PutObject"),
                        List.of(
                                store.objectArn("catalog/*"),
                                store.objectArn("keys"),
                                store.objectArn("keys.copy"),
                                store.objectArn("store"),
                                store.objectArn("store.copy"),
                                store.objectArn("trees/*"))),
                allow("CreateQueues", List.of("sqs:CreateQueue"), queues(store, "in", "lk", "pu")),
                allow("FillLockQueues", List.of("sqs:SendMessage"), queues(store, "lk")));
    }

    private static List<Statement> checkpointer(StoreLocation store, boolean creates) {
        List<Statement> all = reading(store);
        all.add(signsOfLife(store));
        all.add(writingPages(store));
        all.addAll(writingLogs(
                store,
                allow("ApplyLogs", List.of("s3:PutObject"), List.of(store.logArn("domains/*"))),
                allow("TrimLogs", List.of("s3:DeleteObject"), List.of(store.logArn("log/*")))));
        all.add(allow("Park", List.of("s3:PutObject"), List.of(store.objectArn("parked/*"))));
        all.add(allow(
                "ApplyAgain",
                List.of("s3:DeleteObject"),
                List.of(store.objectArn("parked/*"), store.objectArn("quarantine/*"))));
        all.add(allow("RemoveLargePayloads", List.of("s3:DeleteObject"), List.of(store.objectArn("overflow/*"))));
        all.add(quarantine(store));
        all.add(listingQueues());
        all.add(allow("RemoveQueuesOfDropped", List.of("sqs:DeleteQueue"), queues(store, "lk", "pu")));
        if (creates) {
            all.add(allow("CreateQueues", List.of("sqs:CreateQueue"), queues(store, "lk", "pu")));
        } else {
            all.add(allow("FindIntakes", List.of("sqs:GetQueueUrl"), queues(store, "in")));
        }
        all.add(allow(
                "ApplyRecords",
                List.of(
                        "sqs:ChangeMessageVisibility",
                        "sqs:DeleteMessage",
                        "sqs:GetQueueAttributes",
                        "sqs:GetQueueUrl",
                        "sqs:ReceiveMessage",
                        "sqs:SendMessage"),
                queues(store, "lk", "pu")));
        all.add(emptyingAtomicQueues(store));
        return all;
    }

    /** Returns all rights below the store's prefix: what an administrator's command needs depends on what it finds. */
    private static List<Statement> operator(StoreLocation store) {
        List<Statement> all = reading(store);
        List<String> objects = new ArrayList<>(List.of(store.objectArn("*")));
        if (store.isLogExpress()) {
            all.add(session(store, Map.of()));
        } else if (store.isLogApart()) {
            objects.add(store.logArn("*"));
        }
        all.add(allow("ChangeObjects", List.of("s3:AbortMultipartUpload", "s3:DeleteObject", "s3:PutObject"), objects));
        if (store.hasBackups()) {
            all.addAll(writingBackups(store));
            all.add(allow("RemoveBackups", List.of("s3:DeleteObject"), List.of(store.backupArn())));
        }
        all.add(listingQueues());
        all.add(allow(
                "UseQueues",
                List.of(
                        "sqs:ChangeMessageVisibility",
                        "sqs:CreateQueue",
                        "sqs:DeleteMessage",
                        "sqs:DeleteQueue",
                        "sqs:GetQueueAttributes",
                        "sqs:GetQueueUrl",
                        "sqs:ReceiveMessage",
                        "sqs:SendMessage"),
                queues(store, "at", "in", "lk", "pu")));
        return all;
    }

    /** Returns the rights of a reader, and those to write backups that only others can remove. */
    private static List<Statement> backup(StoreLocation store) {
        List<Statement> all = reader(store);
        all.addAll(writingBackups(store));
        return all;
    }

    private static List<Statement> writingBackups(StoreLocation store) {
        return List.of(
                allow("ListBackups", List.of("s3:ListBucket"), List.of(store.backupBucketArn())),
                allow(
                        "WriteBackups",
                        List.of("s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"),
                        List.of(store.backupArn())));
    }

    private static List<Statement> reading(StoreLocation store) {
        List<Statement> all = new ArrayList<>();
        all.add(allow("ListBucket", List.of("s3:ListBucket"), List.of(store.bucketArn())));
        all.add(allow("ReadObjects", List.of("s3:GetObject"), List.of(store.objectArn("*"))));
        if (store.isLogApart() && !store.isLogExpress()) {
            all.add(allow("ListLogBucket", List.of("s3:ListBucket"), List.of(store.logBucketArn())));
            all.add(allow("ReadLogs", List.of("s3:GetObject"), List.of(store.logArn("*"))));
        }
        return all;
    }

    /**
     * Returns the rights to write logs. In a directory bucket they are one right. Where logs are apart, pages have a
     * mark of their home.
     */
    private static List<Statement> writingLogs(StoreLocation store, Statement... rights) {
        List<Statement> all =
                new ArrayList<>(store.isLogExpress() ? List.of(session(store, Map.of())) : List.of(rights));
        if (store.isLogApart()) {
            all.add(allow("MarkLogs", List.of("s3:PutObject"), List.of(store.objectArn("domains/*"))));
        }
        return all;
    }

    private static Statement readingSession(StoreLocation store) {
        return session(store, Map.of("StringEquals", Map.of("s3express:SessionMode", "ReadOnly")));
    }

    /** The right on a directory bucket. (S3 user guide, IAM for S3 Express One Zone.) */
    private static Statement session(StoreLocation store, Map<String, Map<String, String>> condition) {
        return new Statement(
                "UseLogBucket", "Allow", List.of("s3express:CreateSession"), List.of(store.logBucketArn()), condition);
    }

    private static Statement signsOfLife(StoreLocation store) {
        return allow(
                "SignsOfLife",
                List.of("s3:DeleteObject", "s3:PutObject"),
                List.of(store.objectArn("clients/*"), store.objectArn("retired/*")));
    }

    private static Statement writingPages(StoreLocation store) {
        return allow(
                "WritePages",
                List.of("s3:DeleteObject", "s3:PutObject"),
                List.of(store.objectArn("pages/*"), store.objectArn("roots/*"), store.objectArn("summaries/*")));
    }

    private static Statement quarantine(StoreLocation store) {
        return allow("Quarantine", List.of("s3:PutObject"), List.of(store.objectArn("quarantine/*")));
    }

    private static Statement listingQueues() {
        return allow("ListQueues", List.of("sqs:ListQueues"), List.of("*"));
    }

    private static Statement emptyingAtomicQueues(StoreLocation store) {
        return allow(
                "EmptyAtomicQueues",
                List.of(
                        "sqs:ChangeMessageVisibility",
                        "sqs:DeleteMessage",
                        "sqs:DeleteQueue",
                        "sqs:GetQueueAttributes",
                        "sqs:GetQueueUrl",
                        "sqs:ReceiveMessage"),
                queues(store, "at"));
    }

    private static List<String> queues(StoreLocation store, String... kinds) {
        return List.of(kinds).stream().map(store::queueArn).toList();
    }

    private static Statement allow(String id, List<String> actions, List<String> resources) {
        return new Statement(id, "Allow", actions, resources, Map.of());
    }

    /** Returns this policy without rights on queues, for a store that has none. */
    public AccessPolicy withoutQueues() {
        return new AccessPolicy(
                version,
                statements.stream()
                        .filter(statement -> statement.actions.stream().noneMatch(action -> action.startsWith("sqs:")))
                        .toList());
    }

    /** Returns this policy narrowed to a part of the store, as far as names of objects and queues tell it apart. */
    public AccessPolicy narrowedTo(StorePart part, StoreLocation store) {
        return new AccessPolicy(
                version,
                statements.stream()
                        .map(statement -> new Statement(
                                statement.id,
                                statement.effect,
                                statement.actions,
                                statement.resources.stream()
                                        .flatMap(resource -> part.narrow(resource, store))
                                        .toList(),
                                statement.condition))
                        .toList());
    }

    /**
     * Returns whether an action on a resource is allowed; a trailing {@code *} of a granted resource matches anything.
     */
    public boolean allows(String action, String resource) {
        return statements.stream()
                .filter(statement -> statement.actions.contains(action))
                .flatMap(statement -> statement.resources.stream())
                .anyMatch(pattern -> matches(pattern, resource));
    }

    static boolean matches(String pattern, String resource) {
        return pattern.endsWith("*")
                ? resource.startsWith(pattern.substring(0, pattern.length() - 1))
                : resource.equals(pattern);
    }

    /** The JSON text that IAM accepts. */
    public String toJson() {
        try {
            return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a policy is always json", e);
        }
    }
}
