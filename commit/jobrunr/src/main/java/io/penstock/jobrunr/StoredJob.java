package io.penstock.jobrunr;

import io.penstock.KeySpan;
import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.JobState;
import org.jobrunr.jobs.states.SchedulableState;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job.
 *
 * @param version the number of its saves
 * @param updated when it got into its state, or last told that it is still in it
 * @param due when it is scheduled, or must be at the latest; null in other states
 * @param recurring when it was scheduled as a run of a recurring job; null for other jobs
 * @param signature the code that it calls
 * @param json the job as JobRunr writes it
 */
@Stored(value = "jobrunr-jobs", domain = StoredJob.DOMAIN)
record StoredJob(
        @Key UUID id,
        int version,
        @Indexed Moment updated,
        @Indexed @Nullable Moment due,
        @Indexed @Nullable Moment recurring,
        String signature,
        String json) {
    static final String DOMAIN = "jobrunr";

    /**
     * A time of a job.
     *
     * @param of the state that the job is in, or its recurring job, a slash and its state
     */
    record Moment(String of, Instant at) {
        /** The times before one. */
        static KeySpan<Moment> before(String of, Instant end) {
            return KeySpan.between(new Moment(of, Instant.MIN), new Moment(of, end));
        }
    }

    static StoredJob of(Job job, JobMapper mapper) {
        String state = job.getState().name();
        JobState now = job.getJobState();
        Instant due = now instanceof SchedulableState waiting ? waiting.getScheduledAt() : null;
        Instant scheduled = job.getLastJobStateOfType(SchedulableState.class)
                .map(SchedulableState::getScheduledAt)
                .orElse(null);
        String recurring = job.getRecurringJobId().orElse(null);
        return new StoredJob(
                job.getId(),
                job.getVersion(),
                new Moment(state, job.getUpdatedAt()),
                due == null ? null : new Moment(state, due),
                recurring == null || scheduled == null ? null : new Moment(recurring + "/" + state, scheduled),
                job.getJobSignature(),
                mapper.serializeJob(job));
    }

    /** Whether this is the next version of a job that is stored like this; null for not at all. */
    boolean follows(@Nullable StoredJob stored) {
        return version == (stored == null ? 0 : stored.version) + 1;
    }
}
