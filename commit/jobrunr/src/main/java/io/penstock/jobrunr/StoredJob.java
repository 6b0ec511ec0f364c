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
import org.jobrunr.jobs.states.StateName;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job.
 *
 * @param version the number of its saves
 * @param updated when it got into its state, or last told that it is still in it
 * @param due when it is scheduled, or must be at the latest; null in other states
 * @param recurring the recurring job that it is a run of, and when; null for none
 * @param signature the code that it calls
 * @param json the job as JobRunr writes it
 */
@Stored(value = "jobrunr-jobs", domain = StoredJob.DOMAIN)
record StoredJob(
        @Key UUID id,
        int version,
        @Indexed Moment updated,
        @Indexed @Nullable Moment due,
        @Indexed @Nullable Run recurring,
        String signature,
        String json) {
    static final String DOMAIN = "jobrunr";

    /** A time of a job in a state. */
    record Moment(String state, Instant at) {
        /** All times of jobs in a state before one. */
        static KeySpan<Moment> before(StateName state, Instant end) {
            return KeySpan.between(new Moment(state.name(), Instant.MIN), new Moment(state.name(), end));
        }
    }

    /** The time for which a run of a recurring job was scheduled, and the state of the run. */
    record Run(String job, String state, Instant at) {
        /** The last run of a recurring job in a state. */
        static KeySpan<Run> last(String job, StateName state) {
            return KeySpan.between(new Run(job, state.name(), Instant.MIN), new Run(job, state.name(), Instant.MAX))
                    .reversed()
                    .limit(1);
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
                recurring == null || scheduled == null ? null : new Run(recurring, state, scheduled),
                job.getJobSignature(),
                mapper.serializeJob(job));
    }

    /** Whether this is the next version of a job that is stored like this; null for not at all. */
    boolean follows(@Nullable StoredJob stored) {
        return version == (stored == null ? 0 : stored.version) + 1;
    }
}
