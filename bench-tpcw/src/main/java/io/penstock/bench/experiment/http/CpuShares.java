package io.penstock.bench.experiment.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * A sampling profiler (Flight Recorder, every 10 ms) that assigns each sample to a part of the work, by the innermost
 * frame that reveals it. Native code, the kernel's copying and the collector are not sampled.
 */
final class CpuShares implements AutoCloseable {
    private static final Map<String, List<String>> PARTS = parts();

    private final Recording recording = new Recording();

    private static Map<String, List<String>> parts() {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        parts.put("checksums", List.of("java.util.zip.CRC32", "java.util.zip.Checksum", ".checksums."));
        parts.put(
                "signing", List.of("javax.crypto.", "sun.security.provider.", "java.security.", ".signer.", ".auth."));
        parts.put("reading the body", List.of("java.net.Socket", "sun.nio.ch.", "sun.net.www.http.", "java.io."));
        parts.put(
                "http", List.of("sun.net.", "java.net.", "org.apache.hc.", "io.netty.", "awssdk.http.", "awssdk.crt."));
        parts.put("answers as objects", List.of("awssdk.protocols.", "awssdk.services.s3.model.", ".xml."));
        parts.put("rest of the sdk", List.of("software.amazon.awssdk."));
        parts.put("penstock", List.of("io.penstock.core."));
        return parts;
    }

    CpuShares() {
        recording.enable("jdk.ExecutionSample").with("period", "10 ms");
        recording.start();
    }

    /** Ends the sampling; returns the number of samples of each part. Call once. */
    Map<String, Long> stop() {
        recording.stop();
        Map<String, Long> counts = new LinkedHashMap<>();
        PARTS.keySet().forEach(part -> counts.put(part, 0L));
        counts.put("other", 0L);
        try {
            Path file = Files.createTempFile("penstock-http", ".jfr");
            recording.dump(file);
            for (RecordedEvent sample : RecordingFile.readAllEvents(file)) {
                counts.merge(part(sample), 1L, Long::sum);
            }
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return counts;
    }

    private static String part(RecordedEvent sample) {
        if (sample.getStackTrace() == null) {
            return "other";
        }
        for (RecordedFrame frame : sample.getStackTrace().getFrames()) {
            String type = frame.getMethod().getType().getName();
            for (Map.Entry<String, List<String>> part : PARTS.entrySet()) {
                if (part.getValue().stream().anyMatch(type::contains)) {
                    return part.getKey();
                }
            }
        }
        return "other";
    }

    @Override
    public void close() {
        recording.close();
    }
}
