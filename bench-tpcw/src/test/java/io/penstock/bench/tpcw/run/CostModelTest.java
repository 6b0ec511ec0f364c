package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostModelTest {
    private static final double EXACT = 1e-12;

    private static Usage usage(Count count, long number) {
        return new Usage(Map.of(count, number));
    }

    @Test
    void eachKindOfUseHasItsPrice() {
        CostModel model = new CostModel(new PriceList(1, 10, 100, 1_000, 10_000, 100_000, 1_000_000));
        assertThat(model.dollars(usage(Count.S3_GET, 2))).isEqualTo(20, within(EXACT));
        assertThat(model.dollars(usage(Count.S3_PUT, 3).plus(usage(Count.S3_LIST, 4))))
                .isEqualTo(7, within(EXACT));
        assertThat(model.dollars(usage(Count.S3_DELETE, 9)))
                .as("deletes are free")
                .isZero();
        assertThat(model.dollars(new Usage(Map.of(
                        Count.SQS_SEND, 5L,
                        Count.SQS_RECEIVE, 5L,
                        Count.SQS_DELETE, 5L,
                        Count.SQS_OTHER, 5L,
                        Count.SQS_UNITS, 7L))))
                .as("sqs is paid by units alone")
                .isEqualTo(70_000, within(EXACT));
        assertThat(model.dollars(new Usage(Map.of(
                        Count.S3_IN, 1_000_000_000L,
                        Count.S3_OUT, 2_000_000_000L,
                        Count.SQS_IN, 3_000_000_000L,
                        Count.SQS_OUT, 4_000_000_000L))))
                .isEqualTo(100 + 2_000 + 300_000 + 4_000_000, within(1e-6));
    }

    @Test
    void thePapersNaiveTransactionCostsWhatThePaperSays() {
        // Four reads and six puts of 100 KB: $0.15 for 1000 would be requests alone.
        Usage one =
                new Usage(Map.of(Count.S3_GET, 4L, Count.S3_PUT, 6L, Count.S3_IN, 600_000L, Count.S3_OUT, 400_000L));
        CostModel.Split split = new CostModel(Profile.PAPER_2008.prices()).per1000(one, Usage.NONE, 1);
        assertThat(split.total()).isEqualTo(0.004 + 0.06 + 0.06 + 0.072, within(1e-9));
        assertThat(split.transaction()).isEqualTo(split.total());
        assertThat(split.checkpointAndAtomic()).isZero();
    }

    @Test
    void costsAreSplitAndScaled() {
        CostModel model = new CostModel(Profile.AWS_2026.prices());
        Usage front = usage(Count.S3_PUT, 100);
        Usage back = usage(Count.SQS_UNITS, 1_000);
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
        assertThat(usage.requests())
                .hasToString("{s3Get=1, s3Put=2, s3Delete=3, s3List=4,"
                        + " sqsSend=5, sqsReceive=6, sqsDelete=7, sqsOther=8}");
        assertThat(usage.of(Count.SQS_UNITS)).isEqualTo(2);
        assertThat(usage.of(Count.S3_IN)).isEqualTo(11);
        assertThat(usage.of(Count.S3_OUT)).isEqualTo(12);
        assertThat(usage.of(Count.SQS_IN)).isEqualTo(13);
        assertThat(usage.of(Count.SQS_OUT)).isEqualTo(14);
        assertThat(usage.of(Count.CONFLICTS)).isZero();
        assertThat(usage.bytesIn()).isEqualTo(24);
        assertThat(usage.bytesOut()).isEqualTo(26);
        assertThat(usage.plus(usage).minus(usage)).isEqualTo(usage);
        assertThat(Usage.read(registry, Usage.CHECKPOINT).of(Count.S3_PUT)).isEqualTo(99);
    }
}
