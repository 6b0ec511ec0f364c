package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.cli.program.UsageException;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.MeasuredLatency;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The values of options that choose a simulated cloud: the name of a profile, or a file that {@code scripts/bench
 * calibrate} has written.
 */
public final class Profiles implements ITypeConverter<Profile> {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The calls that a file may leave out, and the one that each is like. */
    private static final Map<CloudCall, CloudCall> ALIKE = Map.of(
            CloudCall.PUT, CloudCall.PUT_ABSENT,
            CloudCall.ACKNOWLEDGE, CloudCall.RECEIVE,
            CloudCall.MANAGE, CloudCall.SEND);

    /**
     * The content of a file; the names of the fields are an interface.
     *
     * @param source the program, place and time of the measurement
     * @param shares {@link MeasuredLatency#SHARES}, for readers
     * @param millis by calls, calls under way and bytes: the quantiles at these shares
     */
    public record Content(
            String name,
            String source,
            JsonNode prices,
            List<Double> shares,
            Map<CloudCall, Map<Integer, Map<Long, List<Double>>>> millis) {
        public static Content of(
                String name,
                String source,
                Prices prices,
                Map<CloudCall, Map<Integer, Map<Long, List<Double>>>> millis) {
            return new Content(name, source, prices.json(), MeasuredLatency.SHARES, millis);
        }

        /**
         * Returns the profile. Where no queues were measured, they are those of {@code aws-2026}.
         *
         * @param file for messages
         */
        public Profile profile(String file) {
            Profile today = Profile.AWS_2026;
            Profile profile =
                    new Profile(name, today.latencies(), Prices.of(prices, file).requests(), today.limits());
            for (CloudCall call : CloudCall.values()) {
                CloudCall measured = millis.containsKey(call) ? call : ALIKE.getOrDefault(call, call);
                Map<Integer, Map<Long, List<Double>>> table = millis.get(measured);
                if (table != null) {
                    profile = profile.with(latency(measured, table, file), call);
                } else if (call.compareTo(CloudCall.SEND) < 0) {
                    throw wrong(file, "it has no " + call);
                }
            }
            return profile;
        }

        private static MeasuredLatency latency(
                CloudCall call, Map<Integer, Map<Long, List<Double>>> table, String file) {
            try {
                return new MeasuredLatency(table);
            } catch (IllegalArgumentException e) {
                throw wrong(file, call + " is no table: " + e.getMessage());
            }
        }
    }

    @Override
    public Profile convert(String nameOrFile) {
        try {
            return of(nameOrFile);
        } catch (UsageException | InvalidRequestException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the profile of a file, or of a name where there is no such file.
     *
     * @throws UsageException when the file is no profile
     * @throws InvalidRequestException when there is neither
     */
    public static Profile of(String nameOrFile) {
        if (!Files.isRegularFile(Path.of(nameOrFile))) {
            return Profile.named(nameOrFile);
        }
        try {
            return parse(Files.readString(Path.of(nameOrFile)), nameOrFile).profile(nameOrFile);
        } catch (IOException e) {
            throw wrong(nameOrFile, "it cannot be read");
        }
    }

    /** Returns the cloud that belongs to a price list: with one that is no profile's, today's. */
    public static Profile behind(String prices) {
        Path file = Path.of(prices);
        try {
            boolean is = Files.isRegularFile(file)
                    ? Files.readString(file).contains("\"millis\"")
                    : Profile.ALL.stream().anyMatch(profile -> profile.name().equals(prices));
            return is ? of(prices) : Profile.AWS_2026;
        } catch (IOException e) {
            throw wrong(prices, "it cannot be read");
        }
    }

    static Content parse(String json, String file) {
        try {
            @Nullable Content content = MAPPER.readValue(json, Content.class);
            if (content != null
                    && MeasuredLatency.SHARES.equals(content.shares)
                    && content.name != null
                    && content.millis != null) {
                return content;
            }
        } catch (JsonProcessingException e) {
            // Reported below.
        }
        throw wrong(file, "it is no JSON object with name, source, prices, shares and millis");
    }

    private static UsageException wrong(String file, String why) {
        return new UsageException("the profile " + file + " cannot be used: " + why
                + "; write one with scripts/bench calibrate --out FILE");
    }
}
