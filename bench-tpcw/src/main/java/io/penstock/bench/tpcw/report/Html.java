package io.penstock.bench.tpcw.report;

/** Text within HTML. */
public final class Html {
    private Html() {}

    /** Escapes text, so that it means itself in an element or in a quoted attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
