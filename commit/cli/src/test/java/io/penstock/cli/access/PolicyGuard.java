package io.penstock.cli.access;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A guard that lets through calls that policies allow, refuses the rest, and records both. */
final class PolicyGuard {
    static final StoreLocation STORE =
            new StoreLocation("aws", "eu-central-1", "123456789012", "shop", "penstock", null, "s3://backups/shop");

    private final List<AccessPolicy> policies;
    final Set<String> used = new TreeSet<>();
    final Set<String> refused = new TreeSet<>();

    PolicyGuard(AccessPolicy... policies) {
        this.policies = List.of(policies);
    }

    /** @param bucket its resource name */
    void ask(String action, String bucket, String key) {
        check(action, bucket + "/" + key);
    }

    void askBucket(String action, String bucket) {
        check(action, bucket);
    }

    void askQueue(String action, String queue) {
        check(action, "arn:aws:sqs:" + STORE.region() + ":" + STORE.account() + ":" + queue);
    }

    void askAll(String action) {
        check(action, "*");
    }

    private synchronized void check(String action, String resource) {
        if (policies.stream().noneMatch(policy -> policy.allows(action, resource))) {
            refused.add(action + " " + resource);
            throw new RefusedException(ErrorCode.ACCESS_DENIED, "access denied", "action", action);
        }
        used.add(action + " " + resource);
    }

    /** Rights of a policy that were never used. */
    synchronized List<String> unused(AccessPolicy policy) {
        List<String> unused = new ArrayList<>();
        for (AccessPolicy.Statement statement : policy.statements()) {
            for (String action : statement.actions()) {
                for (String resource : statement.resources()) {
                    boolean needed = used.stream()
                            .map(use -> use.split(" "))
                            .anyMatch(use -> use[0].equals(action) && AccessPolicy.matches(resource, use[1]));
                    if (!needed) {
                        unused.add(action + " " + resource);
                    }
                }
            }
        }
        return unused;
    }
}
