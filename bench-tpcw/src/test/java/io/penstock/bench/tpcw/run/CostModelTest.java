package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import org.junit.jupiter.api.Test;

class CostModelTest {
    private static final double EXACT = 1e-12;
    private static final Usage NOTHING =
            new Usage(new Usage.Requests(0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0);

    @Test
    void eachKindOfUseHasItsPrice() {
        CostModel model = new CostModel(new PriceList(1, 10, 100, 1_000, 10_000, 100_000, 1_000_000));
        assertThat(model.dollars(new Usage(new Usage.Requests(2, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0)))
                .isEqualTo(20, within(EXACT));
        assertThat(model.dollars(new Usage(new Usage.Requests(0, 3, 0, 4, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0)))
                .isEqualTo(7, within(EXACT));
        assertThat(model.dollars(new Usage(new Usage.Requests(0, 0, 9, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0)))
                .as("deletes are free")
                .isZero();
        assertThat(model.dollars(new Usage(new Usage.Requests(0, 0, 0, 0, 5, 5, 5, 5), 7, 0, 0, 0, 0, 0, 0, 0, 0)))
                .as("sqs is paid by units alone")
                .isEqualTo(70_000, within(EXACT));
        assertThat(model.dollars(new Usage(
                        NOTHING.requests(),
                        0,
                        1_000_000_000,
                        2_000_000_000,
                        3_000_000_000L,
                        4_000_000_000L,
                        0,
                        0,
                        0,
                        0)))
                .isEqualTo(100 + 2_000 + 300_000 + 4_000_000, within(1e-6));
    }

    @Test
    void thePapersNaiveTransactionCostsWhatThePaperSays() {
        // Four reads and six puts of 100 KB: $0.15 for 1000 would be requests alone.
        Usage one = new Usage(new Usage.Requests(4, 6, 0, 0, 0, 0, 0, 0), 0, 600_000, 400_000, 0, 0, 0, 0, 0, 0);
        CostModel.Split split = new CostModel(Profile.PAPER_2008.prices()).per1000(one, NOTHING, 1);
        assertThat(split.total()).isEqualTo(0.004 + 0.06 + 0.06 + 0.072, within(1e-9));
        assertThat(split.transaction()).isEqualTo(split.total());
        assertThat(split.checkpointAndAtomic()).isZero();
    }

    @Test
    void costsAreSplitAndScaled() {
        CostModel model = new CostModel(Profile.AWS_2026.prices());
        Usage front = new Usage(new Usage.Requests(0, 100, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Usage back = new Usage(new Usage.Requests(0, 0, 0, 0, 0, 0, 0, 0), 1_000, 0, 0, 0, 0, 0, 0, 0, 0);
        CostModel.Split split = model.per1000(front, back, 500);
        assertThat(split.transaction()).isEqualTo(0.001, within(EXACT));
        assertThat(split.checkpointAndAtomic()).isEqualTo(0.0008, within(EXACT));
        assertThat(split.total()).isEqualTo(0.0018, within(EXACT));
        assertThat(model.per1000(front, back, 0).total()).isZero();
    }

    @Test
    void usageIsReadFromTheMetersOfItsPart() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RequestMeters transaction = new RequestMeters(registry, Usage.TRANSACTION);
        RequestMeters checkpoint = new RequestMeters(registry, Usage.CHECKPOINT);
        int count = 1;
        for (Operation operation : Operation.values()) {
            transaction.counted(operation, count++);
        }
        transaction.billed(Operation.SQS_SEND, 65_537);
        transaction.in(Operation.Service.S3, 11);
        transaction.out(Operation.Service.S3, 12);
        transaction.in(Operation.Service.SQS, 13);
        transaction.out(Operation.Service.SQS, 14);
        checkpoint.counted(Operation.S3_PUT, 99);
        Usage usage = Usage.read(registry, Usage.TRANSACTION);
        assertThat(usage)
                .isEqualTo(new Usage(new Usage.Requests(1, 2, 3, 4, 5, 6, 7, 8), 2, 11, 12, 13, 14, 0, 0, 0, 0));
        assertThat(usage.bytesIn()).isEqualTo(24);
        assertThat(usage.bytesOut()).isEqualTo(26);
        assertThat(usage.plus(usage).minus(usage)).isEqualTo(usage);
        assertThat(Usage.read(registry, Usage.CHECKPOINT).requests().s3Put()).isEqualTo(99);
    }
}
