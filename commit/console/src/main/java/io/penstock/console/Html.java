package io.penstock.console;

import java.util.List;

/** An element of HTML, or text. What is put into one is escaped, so that no data becomes markup. Immutable. */
record Html(String tag, String attributes, String content) {
    private static final List<String> VOID = List.of("link", "meta");

    /** An element with other elements in it. */
    static Html of(String tag, Html... content) {
        return of(tag, List.of(content));
    }

    static Html of(String tag, List<Html> content) {
        StringBuilder inside = new StringBuilder();
        content.forEach(each -> inside.append(each.markup()));
        return new Html(tag, "", inside.toString());
    }

    /** An element with text in it. */
    static Html of(String tag, String text) {
        return new Html(tag, "", escaped(text));
    }

    static Html text(String text) {
        return of("", text);
    }

    /** Returns this element with an attribute, or unchanged where the value is empty. */
    Html with(String name, String value) {
        return value.isEmpty() ? this : new Html(tag, attributes + " " + name + "=\"" + escaped(value) + "\"", content);
    }

    String markup() {
        if (tag.isEmpty()) {
            return content;
        }
        String open = "<" + tag + attributes + ">";
        return VOID.contains(tag) ? open : open + content + "</" + tag + ">";
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Shown.isPlain(c) ? Character.toString(c) : String.format("\\u{%x}", c));
            }
        });
        return out.toString();
    }
}
