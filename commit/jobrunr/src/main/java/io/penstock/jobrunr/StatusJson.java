package io.penstock.jobrunr;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jobrunr.storage.BackgroundJobServerStatus;
import org.jobrunr.storage.JobRunrMetadata;

/** JSON of the classes that JobRunr itself writes none of: their properties, as their constructors take them. */
final class StatusJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .addMixIn(BackgroundJobServerStatus.class, Server.class)
            .addMixIn(JobRunrMetadata.class, Metadata.class)
            .build();

    private StatusJson() {}

    static Json<BackgroundJobServerStatus> ofServers() {
        return Json.of(BackgroundJobServerStatus.class, MAPPER);
    }

    static Json<JobRunrMetadata> ofMetadata() {
        return Json.of(JobRunrMetadata.class, MAPPER);
    }

    /** The constructor of {@link BackgroundJobServerStatus}. */
    private abstract static class Server {
        @JsonCreator
        Server(
                @JsonProperty("id") UUID id,
                @JsonProperty("name") String name,
                @JsonProperty("workerPoolSize") int workerPoolSize,
                @JsonProperty("pollIntervalInSeconds") int pollIntervalInSeconds,
                @JsonProperty("deleteSucceededJobsAfter") Duration deleteSucceededJobsAfter,
                @JsonProperty("permanentlyDeleteDeletedJobsAfter") Duration permanentlyDeleteDeletedJobsAfter,
                @JsonProperty("firstHeartbeat") Instant firstHeartbeat,
                @JsonProperty("lastHeartbeat") Instant lastHeartbeat,
                @JsonProperty("running") boolean isRunning,
                @JsonProperty("systemTotalMemory") Long systemTotalMemory,
                @JsonProperty("systemFreeMemory") Long systemFreeMemory,
                @JsonProperty("systemCpuLoad") Double systemCpuLoad,
                @JsonProperty("processMaxMemory") Long processMaxMemory,
                @JsonProperty("processFreeMemory") Long processFreeMemory,
                @JsonProperty("processAllocatedMemory") Long processAllocatedMemory,
                @JsonProperty("processCpuLoad") Double processCpuLoad) {}
    }

    /** The constructor of {@link JobRunrMetadata}; its other properties follow from these. */
    @JsonIgnoreProperties({"id", "valueAsLong"})
    private abstract static class Metadata {
        @JsonCreator
        Metadata(
                @JsonProperty("name") String name,
                @JsonProperty("owner") String owner,
                @JsonProperty("value") String value,
                @JsonProperty("createdAt") Instant createdAt,
                @JsonProperty("updatedAt") Instant updatedAt) {}
    }
}
