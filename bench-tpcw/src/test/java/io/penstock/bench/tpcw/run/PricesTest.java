package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.cli.program.UsageException;
import io.penstock.core.meter.Operation;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class PricesTest {
    /** The lists that belong to a profile. */
    static final Iterable<String> KNOWN = Prices.KNOWN.subList(0, 3);

    private static final String WHOLE = """
            {"s3Put": 1, "s3Get": 2, "s3InPerGb": 3, "s3OutPerGb": 4, "s3StoragePerGbMonth": 5,
             "sqsUnit": 6, "sqsInPerGb": 7, "sqsOutPerGb": 8}
            """;

    @ParameterizedTest
    @FieldSource("KNOWN")
    void theListsAreThoseOfTheSimulatedClouds(String name) {
        Prices prices = Prices.of(name);
        assertThat(prices.requests()).isEqualTo(Profile.named(name).prices());
        assertThat(prices.name()).isEqualTo(name);
        assertThat(prices.storagePerGbMonth()).isPositive();
    }

    @Test
    void aListOfOnesOwnIsRead() {
        Prices prices = Prices.parse(WHOLE, "own.json");
        assertThat(prices.name()).isEqualTo("own.json");
        assertThat(prices.storagePerGbMonth()).isEqualTo(5);
        assertThat(prices.requests().sqsOutPerGb()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3Put", "s3Get", "s3InPerGb", "s3OutPerGb", "s3StoragePerGbMonth", "sqsUnit"})
    void aHoleIsNamed(String field) {
        String hole = WHOLE.replaceAll("\"" + field + "\": \\d,", "");
        String text = WHOLE.replaceAll("\"" + field + "\": \\d,", "\"" + field + "\": \"cheap\",");
        String negative = WHOLE.replaceAll("\"" + field + "\": \\d,", "\"" + field + "\": -1,");
        for (String wrong : new String[] {hole, text, negative}) {
            assertThatThrownBy(() -> Prices.parse(wrong, "own.json"))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(field);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "7"})
    void whatIsNoListIsRefused(String text) {
        assertThatThrownBy(() -> Prices.parse(text, "own.json")).isInstanceOf(UsageException.class);
    }

    @Test
    void aFieldThatMeansNothingIsRefused() {
        assertThatThrownBy(() -> Prices.parse(WHOLE.replace("{", "{\"s3put\": 1,"), "own.json"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("s3put");
    }

    /** The meter of dollars has the prices of requests too, for programs that have no list. */
    @Test
    void theStoresOwnPricesAreThoseOfToday() {
        PriceList today = Prices.of("aws-2026").requests();
        for (Operation operation : Operation.values()) {
            double listed = switch (operation) {
                case S3_GET -> today.s3Get();
                case S3_PUT, S3_LIST -> today.s3Put();
                case S3_DELETE -> 0;
                case SQS_SEND, SQS_RECEIVE, SQS_DELETE, SQS_OTHER -> today.sqsUnit();
            };
            assertThat(operation.dollars()).as(operation.tag()).isEqualTo(listed);
        }
    }
}
