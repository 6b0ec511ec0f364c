package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.Resource;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A mix of interactions (clause 5.2), and the matrix of transitions that leads to it. */
public enum Mix {
    BROWSING("WIPSb"),
    SHOPPING("WIPS"),
    ORDERING("WIPSo");

    /** The largest draw; the smallest is 1. */
    public static final int DRAW_MAX = 9_999;

    private final String rateName;
    private final Map<InteractionKind, Double> percents = new EnumMap<>(InteractionKind.class);
    private final Map<InteractionKind, NavigableMap<Integer, InteractionKind>> transitions =
            new EnumMap<>(InteractionKind.class);

    static {
        rows("mixes.csv").forEach(row -> {
            for (Mix mix : values()) {
                mix.percents.put(kind(row.get(0)), Double.valueOf(row.get(1 + mix.ordinal())));
            }
        });
        rows("transitions.csv").forEach(row -> {
            NavigableMap<Integer, InteractionKind> thresholds = new TreeMap<>();
            for (String cell : row.subList(2, row.size())) {
                String[] target = cell.split(" ", 2);
                thresholds.put(Integer.valueOf(target[1]), kind(target[0]));
            }
            valueOf(row.get(0).toUpperCase(Locale.ROOT)).transitions.put(kind(row.get(1)), thresholds);
        });
    }

    Mix(String rateName) {
        this.rateName = rateName;
    }

    private static Stream<List<String>> rows(String table) {
        return Resource.text(Mix.class, table).lines().map(line -> List.of(line.split(",")));
    }

    private static InteractionKind kind(String code) {
        for (InteractionKind kind : InteractionKind.values()) {
            if (kind.code().equals(code)) {
                return kind;
            }
        }
        throw new IllegalStateException("no interaction has the code " + code);
    }

    /** The name of the rate of this mix: WIPS, WIPSb or WIPSo. */
    public String rateName() {
        return rateName;
    }

    /** The share of an interaction among all, in per cent. */
    public double percent(InteractionKind kind) {
        return percents.getOrDefault(kind, 0.0);
    }

    /**
     * Returns the interaction that follows {@code kind}, for a draw from 1 to {@link #DRAW_MAX}: the first whose
     * threshold is at least it.
     */
    public InteractionKind next(InteractionKind kind, int draw) {
        NavigableMap<Integer, InteractionKind> thresholds = transitions.get(kind);
        if (thresholds == null) {
            throw new IllegalStateException("transitions.csv has no row for " + kind);
        }
        return Objects.requireNonNull(thresholds.ceilingEntry(draw), "a draw beyond the last threshold")
                .getValue();
    }
}
