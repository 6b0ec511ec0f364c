package io.penstock.spring;

import io.penstock.core.StoreException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Says in one line why the store kept an application from its start, and what to do in terms of properties: instead of
 * the stack traces of all beans that wanted the store.
 */
final class StoreFailureAnalyzer implements FailureAnalyzer {
    private static final String SDK = "software/amazon/awssdk/";

    /** The first whose text is in the exception's message counts. Names in braces are particulars of that message. */
    private static final List<Rule> RULES = List.of(
            new Rule(
                    "there is no setting of this name",
                    "There is no property '{name}'.",
                    "Remove it, or did you mean 'penstock.{nearest}'?"),
            new Rule(
                    "a store needs one place",
                    "No property says where the store is.",
                    "Set one of penstock.directory, penstock.bucket and, for tests, penstock.in-memory=true."),
            new Rule(
                    "a store has two places",
                    "The store has two places: penstock.bucket={bucket} and penstock.directory={directory}.",
                    "Remove one of them, or set it to empty where another file has it: 'penstock.directory=' or"
                            + " 'penstock.bucket='."),
            new Rule(
                    "the directory is in use",
                    "The directory '{directory}' is in use by another store, in this process or in another.",
                    "End the other process, or give this one a directory of its own (penstock.directory). Several"
                            + " processes share a store on S3 and SQS only (penstock.bucket)."),
            new Rule(
                    "there is no such bucket",
                    "There is no bucket '{bucket}'.",
                    "Create it, correct penstock.bucket, or let the store create it: penstock.create-bucket=true."),
            new Rule(
                    "the bucket is in another region",
                    "The bucket is in another region.",
                    "Set penstock.region to the region of the bucket."),
            new Rule(
                    "no credentials were found",
                    "There are no credentials for AWS.",
                    "Give them by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role of the machine."),
            new Rule(
                    "the credentials have expired",
                    "The credentials for AWS have expired.",
                    "Renew them, then start again."),
            new Rule(
                    "access was denied",
                    "AWS denies access to the store.",
                    "Check that the credentials are those of this store, and that their policy allows what"
                            + " 'penstock policy' prints."),
            new Rule(
                    "client can be built",
                    "The clients of AWS need a region and credentials.",
                    "Set penstock.region, and give credentials by the environment, a profile, or a role."),
            new Rule(
                    "the server cannot be reached",
                    "S3 or SQS cannot be reached.",
                    "Check the network, penstock.endpoint-s3 and penstock.endpoint-sqs."));

    /** @param mark the part of a message that distinguishes this failure from others */
    private record Rule(String mark, String description, String action) {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException refused) {
                return ofStore(refused);
            }
            if (cause instanceof NoClassDefFoundError missing
                    && String.valueOf(missing.getMessage()).contains(SDK)) {
                return withoutSdk(missing);
            }
        }
        return null;
    }

    private static FailureAnalysis withoutSdk(NoClassDefFoundError missing) {
        return new FailureAnalysis(
                "penstock.bucket asks for S3 and SQS, but the AWS SDK is not on the class path: " + missing.getMessage()
                        + " is missing.",
                "Add the dependencies s3, sqs and url-connection-client of software.amazon.awssdk (penstock-bom has"
                        + " their versions), or use penstock.directory.",
                missing);
    }

    private static FailureAnalysis ofStore(StoreException refused) {
        String message = String.valueOf(refused.getMessage());
        for (Rule rule : RULES) {
            if (message.contains(rule.mark)) {
                Map<String, String> particulars = particulars(message);
                String description = filled(rule.description, particulars);
                return new FailureAnalysis(
                        description + " (" + message + ")", filled(rule.action, particulars), refused);
            }
        }
        return new FailureAnalysis(
                "The store cannot be used: " + message,
                "Correct what the message names; docs/SPRING.md has the properties.",
                refused);
    }

    /** The last part of a message, which is {@code name=value} by turns. */
    private static Map<String, String> particulars(String message) {
        Map<String, String> particulars = new TreeMap<>();
        Matcher matcher = Pattern.compile(" (\\w+)=(\\S+)").matcher(message);
        while (matcher.find()) {
            particulars.put(matcher.group(1), matcher.group(2));
        }
        return particulars;
    }

    private static String filled(String text, Map<String, String> particulars) {
        String filled = text;
        for (Map.Entry<String, String> one : particulars.entrySet()) {
            filled = filled.replace("{" + one.getKey() + "}", one.getValue());
        }
        return filled.replaceAll(" '\\{\\w+}'", "");
    }
}
