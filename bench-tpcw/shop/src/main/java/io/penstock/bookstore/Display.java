package io.penstock.bookstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** The display of prices, subjects and covers on the pages. Safe for use by many threads. */
@Component
public class Display {
    private static final int COVER_LINE_CHARS = 12;
    private static final int COVER_LINES_MAX = 5;

    /** Degrees between the hues of one cover and the next: neighbours in a list look different. */
    private static final int HUE_STEP = 137;

    private static final int HUES = 360;

    /**
     * A drawn cover.
     *
     * @param hue of its colours, in degrees
     * @param pattern which of four patterns it has
     * @param lines its title, line by line
     */
    public record Cover(int hue, int pattern, List<String> lines) {}

    /** Dollars with two digits of cents. */
    public String money(long cents) {
        return String.format(Locale.ROOT, "$%,.2f", cents / 100.0);
    }

    /** A constant of the tables in words, such as {@code NON-FICTION}. */
    public String words(String constant) {
        return constant.isEmpty()
                ? ""
                : constant.charAt(0) + constant.substring(1).toLowerCase(Locale.ROOT);
    }

    /** The cover of an item, the same each time. */
    public Cover cover(long id, String title) {
        List<String> lines = new ArrayList<>();
        for (String word : title.split(" ")) {
            String line = lines.isEmpty() ? "" : lines.getLast();
            if (!line.isEmpty() && line.length() + 1 + word.length() <= COVER_LINE_CHARS) {
                lines.set(lines.size() - 1, line + " " + word);
            } else {
                lines.add(word.substring(0, Math.min(word.length(), COVER_LINE_CHARS)));
            }
        }
        return new Cover(
                (int) Math.floorMod(id * HUE_STEP, HUES),
                (int) Math.floorMod(id, 4),
                lines.subList(0, Math.min(lines.size(), COVER_LINES_MAX)));
    }
}
