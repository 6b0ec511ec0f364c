package io.penstock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages of the documentation that are made of Javadoc. Its program writes them; {@code DocsTest} compares. */
final class ReferencePages {
    private static final Pattern MEMBER = Pattern.compile(
            "\\n    /\\*\\*(.*?)\\*/\\s*\\n    (?:public \\w+ )?(\\w+)(?:\\(([^)]*)\\))?[,; {]*\\n", Pattern.DOTALL);

    private static final String CODES = """
            # Error codes

            Every `StoreException` has a `code()`. Its type says how the caller reacts
            ([OPERATIONS](OPERATIONS.md#what-to-do-on-each-exception)), its code what to mend. The command prints the code
            in brackets, meters of failures have it as the tag `code`. Texts may change, codes stay. This page is made of
            the Javadoc of `ErrorCode`.

            | code | cause | what to do |
            |---|---|---|
            """;

    /** A documented member of a type. */
    record Member(String name, String parameters, String text) {}

    private ReferencePages() {}

    /** Writes the pages. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of("..", "docs", "ERRORS.md"), errors());
    }

    /** The text of {@code docs/ERRORS.md}. */
    static String errors() throws IOException {
        StringBuilder page = new StringBuilder(CODES);
        for (Member code : members("../core/src/main/java/io/penstock/core/ErrorCode.java")) {
            int cause = code.text.indexOf(". ");
            page.append("| `").append(code.name).append("` | ");
            page.append(code.text, 0, cause).append(" | ");
            page.append(code.text, cause + 2, code.text.length() - 1).append(" |\n");
        }
        return page.toString();
    }

    private static List<Member> members(String source) throws IOException {
        List<Member> members = new ArrayList<>();
        Matcher matcher = MEMBER.matcher(Files.readString(Path.of(source)));
        while (matcher.find()) {
            String parameters = matcher.group(3) == null ? "" : matcher.group(3);
            members.add(new Member(matcher.group(2), parameters, plain(matcher.group(1))));
        }
        return members;
    }

    /** The text of a Javadoc in one line of Markdown. */
    private static String plain(String javadoc) {
        return javadoc.replaceAll("\\n     \\* ?", " ")
                .replaceAll("\\{@(?:code|link)\\s+#?([^}]+)}", "`$1`")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
