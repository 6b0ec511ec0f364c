package io.penstock.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers as a person reads them; what is rounded has its exact value in its title. */
final class Words {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private Words() {}

    static Html count(long number) {
        return Html.text(String.format(Locale.ROOT, "%,d", number));
    }

    static Html count(long number, String one, String many) {
        return Html.of("", count(number), Html.text(" " + (number == 1 ? one : many)));
    }

    static Html bytes(long bytes) {
        int unit = 0;
        double shown = bytes;
        while (shown >= 1024 && unit < UNITS.length - 1) {
            shown /= 1024;
            unit++;
        }
        return unit == 0
                ? count(bytes, "byte", "bytes")
                : Html.of("span", String.format(Locale.ROOT, "%.1f %s", shown, UNITS[unit]))
                        .with("title", String.format(Locale.ROOT, "%,d bytes", bytes));
    }

    static Html age(Duration age) {
        String shown = age.toDays() > 0
                ? age.toDays() + " d " + age.toHoursPart() + " h"
                : age.toHours() > 0
                        ? age.toHours() + " h " + age.toMinutesPart() + " min"
                        : age.toMinutes() > 0
                                ? age.toMinutes() + " min " + age.toSecondsPart() + " s"
                                : age.toSeconds() + " s";
        return Html.of("span", shown).with("title", String.format(Locale.ROOT, "%,d seconds", age.toSeconds()));
    }

    static Html time(long millis) {
        Instant at = Instant.ofEpochMilli(millis);
        String shown =
                at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", "");
        return Html.of("time", shown).with("datetime", at.toString()).with("title", at + " (UTC)");
    }

    static Html dollars(double dollars) {
        String exact = BigDecimal.valueOf(dollars).stripTrailingZeros().toPlainString();
        return Html.of("span", String.format(Locale.ROOT, dollars < 0.01 ? "$%.6f" : "$%,.2f", dollars))
                .with("title", exact + " dollars");
    }
}
