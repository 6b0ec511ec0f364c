package io.penstock.bench.tpcw.run;

import io.penstock.ConsistencyLevel;
import java.util.Optional;

/**
 * The authors' figures for one level (Brantner et al., SIGMOD 2008, tables 3 and 4, as on their slides).
 *
 * @param averageSeconds of a transaction
 * @param maxSeconds of a transaction
 * @param cost dollars for 1000 transactions
 */
public record PaperFigures(double averageSeconds, double maxSeconds, CostModel.Split cost) {
    /** Returns the paper's figures of a level; empty for levels that the paper does not have. */
    public static Optional<PaperFigures> of(ConsistencyLevel level) {
        return Optional.ofNullable(
                switch (level) {
                    case NAIVE -> new PaperFigures(11.3, 12.1, new CostModel.Split(0.15, 0.15, 0));
                    case BASIC -> new PaperFigures(4.0, 5.9, new CostModel.Split(1.8, 0.7, 1.1));
                    case MONOTONIC -> new PaperFigures(4.0, 6.8, new CostModel.Split(2.1, 0.7, 1.4));
                    case ATOMIC -> new PaperFigures(2.8, 4.6, new CostModel.Split(2.9, 0.3, 2.6));
                    case SNAPSHOT, SERIALIZABLE -> null;
                });
    }
}
