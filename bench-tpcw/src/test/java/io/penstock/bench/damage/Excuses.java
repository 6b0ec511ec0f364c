package io.penstock.bench.damage;

import java.util.Map;
import java.util.Optional;

/** Why a damage that nobody noticed is no harm, or why nobody can notice it. */
final class Excuses {
    private static final String REPLAY = "not noticed: CONSISTENCY.md, deletion by others";

    private static final Map<String, String> HARMLESS = Map.ofEntries(
            Map.entry("client", "a heartbeat is written anew; recovery asks the queues"),
            Map.entry("sweep turn", "a turn only saves requests"),
            Map.entry("name", "a successor only saves time"),
            Map.entry("ledger", "its records are applied again, which changes nothing"),
            Map.entry("quarantine", "kept for people"),
            Map.entry("reason", "kept for people"),
            Map.entry("mark", "it tells that there was a definition, which is there"),
            Map.entry("roots", "it tells that there is a root, which is there; its content does not count"),
            Map.entry("trees", "the definitions tell whose a tree is"),
            Map.entry("leaf without a root", "of a build that is not done and begins again"),
            Map.entry("inner page without a root", "of a build that is not done and begins again"),
            Map.entry("root leaf of pending records", "of a build that is not done and reads all records"),
            Map.entry("horizon of a log", "the log is applied again from there, which changes nothing"),
            Map.entry("segment of a log", "its records are on pages; it is kept for readers that are late"),
            Map.entry("overflow", "nothing refers to it, or its reference tells how long it is"),
            Map.entry("file acknowledged", "it is written twice, and only tells a torn end from a loss"),
            Map.entry("file of queues", "a queue is written twice; of what is deleted nothing is needed"),
            Map.entry("message", "a lock's token, which is replaced, or what is applied already"));

    private Excuses() {}

    /** Empty when there is none: then it is a finding. */
    static Optional<String> of(Trial trial) {
        String kind = trial.target().kind();
        boolean replayed = trial.what().equals(Damage.OLDER) && kind.matches(".*(leaf|page).*");
        return switch (trial.verdict()) {
            case READ, VERIFY -> Optional.of("");
            case HARMLESS ->
                replayed
                        ? Optional.of("what it lacks waits in a queue still")
                        : Optional.ofNullable(HARMLESS.getOrDefault(kind, HARMLESS.get(kind.replace("file of ", ""))));
            case SILENT -> replayed || isLast(kind, trial.what()) ? Optional.of(REPLAY) : Optional.empty();
        };
    }

    /** Whether nothing else in the store tells of it: the only page of a tree, the end of a log, what waits apart. */
    private static boolean isLast(String kind, String what) {
        return what.equals(Damage.REMOVED)
                && (kind.matches("parked|message") || kind.matches("(file of )?(root leaf.*|segment of a log)"));
    }
}
