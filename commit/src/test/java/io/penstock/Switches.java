package io.penstock;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds each {@code switch} of a Java source over levels or kinds of changes that has a default. */
final class Switches {
    private static final Pattern SWITCH = Pattern.compile("\\bswitch \\(");
    private static final Pattern KIND =
            Pattern.compile("\\bcase ((\\w+, )*(NAIVE|BASIC|MONOTONIC|ATOMIC)\\b|RecordChange\\.)");
    private static final Pattern DEFAULT = Pattern.compile("\\bdefault *(->|:)");

    private Switches() {}

    /** @return their lines, from 0 */
    static List<Integer> open(String bare) {
        List<Integer> lines = new ArrayList<>();
        Matcher matcher = SWITCH.matcher(bare);
        while (matcher.find()) {
            String cases = cases(bare, bare.indexOf('{', matcher.end()));
            if (KIND.matcher(cases).find() && DEFAULT.matcher(cases).find()) {
                lines.add((int) bare.substring(0, matcher.start())
                        .chars()
                        .filter(c -> c == '\n')
                        .count());
            }
        }
        return lines;
    }

    /** What stands between the brace at {@code from} and its partner, without what other braces hold. */
    private static String cases(String bare, int from) {
        StringBuilder cases = new StringBuilder();
        int depth = 0;
        for (int i = from; i >= 0 && i < bare.length(); i++) {
            char c = bare.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                break;
            }
            if (depth == 1) {
                cases.append(c);
            }
        }
        return cases.toString();
    }
}
