package io.penstock.commit.domain;

/**
 * What one checkpoint of a domain has done.
 *
 * @param segments that are behind the horizon now
 * @param records applied: of each key one, in the order of the log
 * @param pages written
 * @param parked records that damage keeps from their pages
 * @param leased whether this client had the turn to do it
 */
public record Progress(long segments, long records, long pages, long parked, boolean leased) {
    static final Progress NOTHING = new Progress(0, 0, 0, 0, true);
    static final Progress NOT_MINE = new Progress(0, 0, 0, 0, false);

    Progress plus(long moreSegments, long moreRecords, Pages.Applied applied) {
        return new Progress(
                segments + moreSegments,
                records + moreRecords,
                pages + applied.pages(),
                parked + applied.parked(),
                leased);
    }
}
