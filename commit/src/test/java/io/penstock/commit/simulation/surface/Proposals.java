package io.penstock.commit.simulation.surface;

import io.penstock.Json;
import io.penstock.PayloadCodec;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Judge.Commit;
import io.penstock.core.Bytes;
import io.penstock.feed.Change;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The proposals of reviews, as records of the model: {@code r/NAME} has the change that is proposed, by the name that
 * its contributor gave, which no other proposal has; {@code s/NAME} has the digest of the record that it was made for.
 */
final class Proposals {
    static final String ONCE = "a proposal is applied once and whole, after it was made and while it waits";

    private static final String COLLECTION = ".review";
    private static final String WAITS = "waits ";
    private static final String REJECTED = "rejected ";

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final PayloadCodec<Map<String, Object>> JSON = (PayloadCodec) Json.of(Map.class);

    /** The first part of the key of a proposal that was removed before anybody read who made it. */
    private static final String NOBODY = "r/?";

    private final Drawn drawn;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> unheard = new HashSet<>();

    /**
     * A change that somebody proposes.
     *
     * @param by the name of the proposal
     * @param record by collection and key
     * @param value null: it is to be deleted
     */
    record Proposed(String by, String record, @Nullable String value) implements Serializable {
        /** The proposal as a value of the model, which must not look like an {@link Item}. */
        private String text() {
            return record + " " + (value == null ? "-" : value.replace(';', ','));
        }

        String waiting() {
            return WAITS + text();
        }

        String rejected(String reason) {
            return REJECTED + text() + " since " + reason;
        }

        String key() {
            return "r/" + by;
        }

        String baseKey() {
            return "s/" + by;
        }
    }

    /** What an attempt does to a proposal that waits. */
    enum Settling {
        NONE,
        APPROVES,
        WITHDRAWS
    }

    Proposals(Drawn drawn) {
        this.drawn = drawn;
    }

    static boolean isOfReview(Change change) {
        return change.collection().endsWith(COLLECTION);
    }

    static boolean waits(Map<String, String> state, String by) {
        return state.getOrDefault("r/" + by, "").startsWith(WAITS);
    }

    /** The proposals for a collection, as a state has them. */
    static Map<String, String> of(Map<String, String> state, String collection, boolean rejected) {
        Map<String, String> found = new TreeMap<>();
        String begin = (rejected ? REJECTED : WAITS) + collection + "/";
        state.forEach((key, text) -> {
            if (key.startsWith("r/") && text.startsWith(begin)) {
                found.put(key.substring(2), text);
            }
        });
        return found;
    }

    /** Whether the model knows the bytes of a record, and so their digest. */
    static boolean knowsDigest(Drawn drawn, String record) {
        return !drawn.has(Feature.SEALED) || !record.startsWith("a/");
    }

    static boolean isForModel(String key) {
        return key.startsWith("s/");
    }

    static boolean isNobodys(String key) {
        return key.startsWith(NOBODY);
    }

    // ---- The log

    /**
     * Reads a change of a collection of proposals.
     *
     * @param json what the proposal has now; empty where it was replaced before anybody read it
     */
    void read(Change change, Optional<String> json, Map<String, Optional<String>> changes) {
        String id = Verification.nameOf(change);
        String unknown = NOBODY + id;
        if (json.isPresent()) {
            Map<String, Object> members = JSON.decode(Bytes.utf8(json.get()));
            String by = String.valueOf(members.get("by"));
            String collection =
                    change.collection().substring(0, change.collection().indexOf('.'));
            Object value = members.get("value");
            Proposed proposed = new Proposed(
                    by,
                    collection + "/" + bytes(members.get("key")).toUtf8(),
                    value == null ? null : Masters.codec(drawn, collection).decode(bytes(value)));
            Object reason = members.get("reason");
            names.put(id, by);
            if (unheard.remove(unknown)) {
                changes.put(unknown, Optional.empty());
            }
            changes.put(
                    proposed.key(),
                    Optional.of(reason == null ? proposed.waiting() : proposed.rejected(String.valueOf(reason))));
            if (knowsDigest(drawn, proposed.record)) {
                changes.put(proposed.baseKey(), Optional.of(String.valueOf(members.get("base"))));
            }
            return;
        }
        boolean isRemoved = change.kind() == Change.Kind.DELETE;
        String by = names.get(id);
        if (by == null) {
            unheard.add(unknown);
        }
        changes.put(by == null ? unknown : "r/" + by, isRemoved ? Optional.empty() : Optional.of(Judge.GONE));
        if (by != null && isRemoved) {
            changes.put("s/" + by, Optional.empty());
        }
    }

    private static Bytes bytes(@Nullable Object base64) {
        return Bytes.wrap(Base64.getDecoder().decode(String.valueOf(base64)));
    }

    // ---- Who has done it

    /** Finds the attempt that has approved or withdrawn each proposal, and tells when nobody has, or several. */
    static void attribute(Log log, List<Commit> commits) {
        Map<String, List<Attempt>> settled = new HashMap<>();
        log.attempts.stream()
                .filter(attempt ->
                        attempt.settling != Settling.NONE && attempt.end != End.FAILED && attempt.end != End.ANSWERED)
                .sorted(Comparator.comparing((Attempt attempt) -> attempt.end != End.COMMITTED)
                        .thenComparing(attempt -> attempt.beginNanos))
                .forEach(attempt -> settled.computeIfAbsent(
                                Objects.requireNonNull(attempt.proposed).key(), key -> new ArrayList<>())
                        .add(attempt));
        for (Commit commit : commits) {
            commit.changes().forEach((key, value) -> {
                if (key.startsWith("r/") && value.isEmpty() && !isNobodys(key)) {
                    attribute(log, commit, settled.getOrDefault(key, new ArrayList<>()), key);
                }
            });
        }
        boolean allKnown = commits.stream()
                .noneMatch(commit -> commit.changes().keySet().stream().anyMatch(Proposals::isNobodys));
        settled.values()
                .forEach(left -> left.stream()
                        .filter(attempt -> attempt.end == End.COMMITTED && allKnown)
                        .forEach(
                                attempt -> log.alarm(ONCE, "acknowledged, and done by nobody or another: " + attempt)));
    }

    private static void attribute(Log log, Commit commit, List<Attempt> settled, String key) {
        for (Attempt attempt : settled) {
            Proposed proposed = Objects.requireNonNull(attempt.proposed);
            boolean approves = commit.changes().containsKey(proposed.record);
            if (approves == (attempt.settling == Settling.APPROVES)) {
                settled.remove(attempt);
                attempt.stamp = commit.stamp();
                if (attempt.end != End.COMMITTED) {
                    attempt.settle();
                }
                return;
            }
        }
        log.alarm(ONCE, key + " is removed by nobody in " + Item.clip(commit));
    }

    /** Holds the log against what was proposed. */
    static void judge(Log log, List<Commit> commits) {
        Map<String, Proposed> byValue = new HashMap<>();
        Set<String> rejections = new HashSet<>();
        for (Attempt attempt : log.attempts) {
            Proposed proposed = attempt.proposed;
            if (proposed != null) {
                byValue.put(proposed.record + "=" + proposed.value, proposed);
                attempt.puts.values().forEach(text -> text.ifPresent(rejections::add));
            }
        }
        Map<String, String> waiting = new LinkedHashMap<>();
        Set<String> applied = new HashSet<>();
        for (Commit commit : commits) {
            commit.changes().forEach((key, value) -> {
                Proposed proposed = byValue.get(key + "=" + value.orElse(null));
                String now = proposed == null ? "" : waiting.getOrDefault(proposed.key(), unheard(waiting));
                if (proposed != null
                        && value.isPresent()
                        && !(isRemovedBy(commit, proposed)
                                && (now.startsWith(WAITS) || now.equals(Judge.GONE))
                                && applied.add(proposed.key()))) {
                    log.alarm(ONCE, proposed + " is '" + now + "', and applied in " + Item.clip(commit));
                }
                if (key.startsWith("r/")
                        && value.filter(text -> text.startsWith(REJECTED)).isPresent()) {
                    String before = waiting.getOrDefault(key, unheard(waiting));
                    if (!before.startsWith(WAITS) && !before.equals(Judge.GONE) || !rejections.contains(value.get())) {
                        log.alarm(ONCE, key + " is rejected by nobody, or again, in " + Item.clip(commit));
                    }
                }
            });
            commit.changes().forEach((key, value) -> {
                if (key.startsWith("r/")) {
                    value.ifPresentOrElse(text -> waiting.put(key, text), () -> waiting.remove(key));
                }
            });
        }
    }

    /** What a proposal may be that was not heard of. */
    private static String unheard(Map<String, String> waiting) {
        return waiting.keySet().stream().anyMatch(Proposals::isNobodys) ? Judge.GONE : "";
    }

    /** A proposal whose maker nobody knows may be any. */
    private static boolean isRemovedBy(Commit commit, Proposed proposed) {
        Optional<String> removed = commit.changes().get(proposed.key());
        return removed == null ? commit.changes().keySet().stream().anyMatch(Proposals::isNobodys) : removed.isEmpty();
    }
}
