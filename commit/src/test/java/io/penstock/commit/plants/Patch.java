package io.penstock.commit.plants;

import io.penstock.core.InvalidRequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One planted bug: what the mistake is, which promise it breaks, and a unified diff. Applied without an outside
 * program, and strictly: the lines to be replaced must be there, once.
 *
 * @param promise that the simulation must name
 * @param note why the mistake is not a simpler one; may be empty
 * @param test the test that must fail, as {@code class#method}, of a mistake that the simulation does not reach; empty
 *     when a seed must find it
 * @param seed that found it before, which is tried first; 0 when none is known
 * @param hunks by file, as paths from the root of the project
 */
record Patch(
        String name,
        String mistake,
        String promise,
        String note,
        String test,
        long seed,
        Map<String, List<Hunk>> hunks) {
    private static final String FILE = "+++ b/";

    /** Consecutive lines, and what is to stand in their place. */
    record Hunk(List<String> before, List<String> after) {}

    static Patch parse(String name, List<String> lines) {
        Map<String, String> header = new LinkedHashMap<>();
        Map<String, List<Hunk>> hunks = new LinkedHashMap<>();
        List<Hunk> ofFile = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(FILE)) {
                ofFile = hunks.computeIfAbsent(line.substring(FILE.length()), f -> new ArrayList<>());
            } else if (line.startsWith("@@")) {
                ofFile.add(new Hunk(new ArrayList<>(), new ArrayList<>()));
            } else if (hunks.isEmpty()) {
                int colon = line.indexOf(": ");
                if (colon > 0) {
                    header.put(line.substring(0, colon), line.substring(colon + 2));
                }
            } else if (!line.startsWith("--- ") && !line.startsWith("diff ") && !line.startsWith("index ")) {
                add(ofFile.getLast(), line);
            }
        }
        if (!header.containsKey("mistake") || !header.containsKey("promise") || hunks.isEmpty()) {
            throw new InvalidRequestException(
                    "a plant needs a line 'mistake: ...', a line 'promise: ...' and a diff; mend " + name);
        }
        return new Patch(
                name,
                header.get("mistake"),
                header.get("promise"),
                header.getOrDefault("note", ""),
                header.getOrDefault("test", ""),
                Long.parseLong(header.getOrDefault("seed", "0")),
                hunks);
    }

    private static void add(Hunk hunk, String line) {
        String rest = line.isEmpty() ? "" : line.substring(1);
        switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '-' -> hunk.before.add(rest);
            case '+' -> hunk.after.add(rest);
            case ' ' -> {
                hunk.before.add(rest);
                hunk.after.add(rest);
            }
            default -> {
                // "\ No newline at end of file"
            }
        }
    }

    /**
     * The files as they are with the mistake.
     *
     * @param read the text of a file
     * @throws InvalidRequestException when the code has changed, so that the patch does not fit any more
     */
    Map<String, String> apply(UnaryOperator<String> read) {
        Map<String, String> patched = new LinkedHashMap<>();
        hunks.forEach((file, ofFile) -> {
            String text = read.apply(file);
            for (Hunk hunk : ofFile) {
                String before = "\n" + String.join("\n", hunk.before) + "\n";
                int at = text.indexOf(before);
                if (at < 0 || text.indexOf(before, at + 1) >= 0) {
                    throw new InvalidRequestException("plant " + name + " does not apply to " + file
                            + (at < 0 ? ": its lines are not there" : ": its lines are there more than once")
                            + "; make its patch anew");
                }
                String after = "\n" + String.join("\n", hunk.after) + "\n";
                text = text.substring(0, at) + after + text.substring(at + before.length());
            }
            patched.put(file, text);
        });
        return patched;
    }
}
