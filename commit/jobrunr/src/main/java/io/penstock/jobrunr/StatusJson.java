package io.penstock.jobrunr;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jobrunr.storage.BackgroundJobServerStatus;
import org.jobrunr.storage.JobRunrMetadata;

/** JSON of servers and of metadata: the names of what their constructors take. */
abstract class StatusJson {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .addMixIn(BackgroundJobServerStatus.class, StatusJson.class)
            .addMixIn(JobRunrMetadata.class, OfMetadata.class)
            .build();

    @JsonCreator
    StatusJson(
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

    /** Other properties of metadata follow from these. */
    @JsonIgnoreProperties({"id", "valueAsLong"})
    abstract static class OfMetadata {
        @JsonCreator
        OfMetadata(
                @JsonProperty("name") String name,
                @JsonProperty("owner") String owner,
                @JsonProperty("value") String value,
                @JsonProperty("createdAt") Instant createdAt,
                @JsonProperty("updatedAt") Instant updatedAt) {}
    }
}
