package io.penstock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the methods of a Java source by counting braces: good enough to tell a long one. */
final class MethodLengths {
    private static final Pattern BARE = Pattern.compile(
            "\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'|//[^\n]*|/\\*.*?\\*/",
            Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile(".*\\b(class|interface|enum|record)\\s+\\w+.*", Pattern.DOTALL);
    private static final Pattern ANONYMOUS_TYPE = Pattern.compile(".*\\bnew\\s+[^;{}]*\\)\\s*", Pattern.DOTALL);
    private static final Pattern ANNOTATION = Pattern.compile("@[\\w.]+(\\([^()]*\\))?");

    /** @param line of its opening brace, from 0 */
    record Method(int line, int lines) {}

    private record Block(boolean type, boolean method, int line) {}

    private MethodLengths() {}

    /** The source without comments and literals; lines stay where they are. */
    static String bare(String source) {
        Matcher matcher = BARE.matcher(source);
        StringBuilder bare = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(bare, matcher.group().replaceAll("[^\n]", ""));
        }
        return matcher.appendTail(bare).toString();
    }

    static List<Method> of(String bare) {
        List<Method> methods = new ArrayList<>();
        Deque<Block> open = new ArrayDeque<>();
        int line = 0;
        int begin = 0;
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            if (c == '\n') {
                line++;
            } else if (c == '{') {
                open.push(block(bare.substring(begin, i), open.peek(), line));
            } else if (c == '}' && !open.isEmpty()) {
                Block block = open.pop();
                if (block.method) {
                    methods.add(new Method(block.line, line - block.line + 1));
                }
            }
            if (c == '{' || c == '}' || c == ';') {
                begin = i + 1;
            }
        }
        return methods;
    }

    /** @param head what stands between the last brace or semicolon and this one */
    private static Block block(String head, Block around, int line) {
        String plain = ANNOTATION.matcher(head).replaceAll("");
        boolean type =
                TYPE.matcher(plain).matches() || ANONYMOUS_TYPE.matcher(plain).matches() && !plain.contains("->");
        boolean method = !type && around != null && around.type && plain.contains("(") && !plain.contains("=");
        return new Block(type, method, line);
    }
}
