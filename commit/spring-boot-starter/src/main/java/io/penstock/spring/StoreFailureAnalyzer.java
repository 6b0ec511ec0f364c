package io.penstock.spring;

import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
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

    /** The advice for a code. Names in braces are particulars of the exception's message. */
    private static final Map<ErrorCode, Advice> ADVICE = Map.of(
            ErrorCode.UNKNOWN_SETTING,
            new Advice("There is no property '{name}'.", "Remove it, or did you mean 'penstock.{nearest}'?"),
            ErrorCode.NO_PLACE,
            new Advice(
                    "No property says where the store is.",
                    "Set one of penstock.directory, penstock.bucket and, for tests, penstock.in-memory=true."),
            ErrorCode.TWO_PLACES,
            new Advice(
                    "The store has two places: penstock.bucket={bucket} and penstock.directory={directory}.",
                    "Remove one of them, or set it to empty where another file has it: 'penstock.directory=' or"
                            + " 'penstock.bucket='."),
            ErrorCode.DIRECTORY_IN_USE,
            new Advice(
                    "The directory '{directory}' is in use by another store, in this process or in another.",
                    "End the other process, or give this one a directory of its own (penstock.directory). Processes of"
                            + " one machine share a directory with penstock.shared=true in each, processes of any"
                            + " machines a bucket (penstock.bucket)."),
            ErrorCode.BUCKET_NOT_FOUND,
            new Advice(
                    "There is no bucket '{bucket}'.",
                    "Create it, correct penstock.bucket, or let the store create it: penstock.create-bucket=true."),
            ErrorCode.WRONG_REGION,
            new Advice("The bucket is in another region.", "Set penstock.region to the region of the bucket."),
            ErrorCode.NO_CREDENTIALS,
            new Advice(
                    "AWS needs credentials that are valid now, and a region.",
                    "Give or renew them by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role of the"
                            + " machine; set penstock.region. Then start again."),
            ErrorCode.ACCESS_DENIED,
            new Advice(
                    "AWS denies access to the store.",
                    "Check that the credentials are those of this store, and that their policy allows what"
                            + " 'penstock policy' prints."),
            ErrorCode.UNREACHABLE,
            new Advice(
                    "S3 or SQS cannot be reached.",
                    "Check the network, penstock.endpoint-s3 and penstock.endpoint-sqs."));

    private record Advice(String description, String action) {}

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
        Advice advice = ADVICE.get(refused.code());
        if (advice == null) {
            return new FailureAnalysis(
                    "The store cannot be used: " + message + " [" + refused.code() + "]",
                    advice(refused.code()),
                    refused);
        }
        Map<String, String> particulars = particulars(message);
        String description = filled(advice.description, particulars);
        return new FailureAnalysis(
                description + " (" + message + ") [" + refused.code() + "]",
                filled(advice.action, particulars),
                refused);
    }

    /** The advice of a code as docs/ERRORS.md has it. */
    private static String advice(ErrorCode code) {
        Properties all = new Properties();
        try (InputStream text = StoreFailureAnalyzer.class.getResourceAsStream("advice.properties")) {
            all.load(Objects.requireNonNull(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.getProperty(code.name()) + ".";
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
