package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys that are records. */
class RecordKeysTest {
    private static final int ROUNDS = 2000;

    private record Seat(String hall, int row, long number) {}

    private record Visit(Seat seat, Instant at, UUID visitor) {}

    private record One(String name) {}

    private record Bad(String name, double weight) {}

    private record Empty() {}

    private record Wide(String hall, long row, long number) {}

    private record Strict(String name) {
        Strict {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("no name");
            }
        }
    }

    private static Seat seat(Random random) {
        String hall = "h".repeat(random.nextInt(3)) + (char) random.nextInt(3);
        return new Seat(hall, random.nextInt(5) - 2, random.nextLong() >> random.nextInt(64));
    }

    @Test
    void theOrderIsThatOfTheParts() {
        KeyCodec<Seat> keys = Keys.of(Seat.class);
        Comparator<Seat> byParts =
                Comparator.comparing(Seat::hall).thenComparing(Seat::row).thenComparing(Seat::number);
        Random random = new Random(5);
        for (int i = 0; i < ROUNDS; i++) {
            Seat a = seat(random);
            Seat b = seat(random);
            assertThat(Integer.signum(keys.encode(a).compareTo(keys.encode(b))))
                    .as("%s %s", a, b)
                    .isEqualTo(Integer.signum(byParts.compare(a, b)));
            assertThat(keys.decode(keys.encode(a))).isEqualTo(a);
        }
    }

    /** So a program may go from pairs to records. */
    @Test
    void theBytesAreThoseOfPairs() {
        KeyCodec<Keys.Pair<String, Keys.Pair<Long, Long>>> pairs =
                Keys.pair(Keys.string(), Keys.pair(Keys.longs(), Keys.longs()));
        KeyCodec<Seat> keys = Keys.of(Seat.class);
        assertThat(keys.encode(new Seat("a", 3, 7)))
                .isEqualTo(pairs.encode(new Keys.Pair<>("a", new Keys.Pair<>(3L, 7L))));
        assertThat(keys.name()).isEqualTo(pairs.name());
        assertThat(Keys.of(One.class).encode(new One("x")))
                .isEqualTo(Keys.string().encode("x"));
    }

    @Test
    void aRecordMayHaveARecord() {
        KeyCodec<Visit> keys = Keys.of(Visit.class);
        Visit visit = new Visit(new Seat("main", -1, 12), Instant.ofEpochSecond(5, 6), new UUID(1, 2));
        assertThat(keys.decode(keys.encode(visit))).isEqualTo(visit);
    }

    @Test
    void aCollectionIsListedInTheirOrder() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("shop")) {
                RecordCollection<Seat, String> seats =
                        store.collection("seats", Keys.of(Seat.class), Json.of(String.class));
                seats.put(new Seat("b", 1, 1), "third");
                seats.put(new Seat("a", 2, 1), "second");
                seats.put(new Seat("a", -1, 9), "first");
                List<String> found = new ArrayList<>();
                try (Scan<Entry<Seat, String>> scan = seats.scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.add(entry.value()));
                }
                assertThat(found).containsExactly("first", "second", "third");
            }
        });
    }

    @Test
    void whatCannotBeAKeyIsToldInALine() {
        assertThatThrownBy(() -> Keys.of(Bad.class))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("part=Bad.weight")
                .hasMessageContaining("type=double");
        assertThatThrownBy(() -> Keys.of(Empty.class))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.CODEC_FAILURE));
        assertThatThrownBy(() -> Keys.of(One.class).encode(new One(null)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("part=name");
    }

    @Test
    void aLongThatIsNoIntIsNotCutOff() {
        assertThatThrownBy(() -> Keys.of(Seat.class).decode(Keys.of(Wide.class).encode(new Wide("a", 1L << 40, 0))))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void whatTheRecordThrowsIsThrown() {
        assertThatThrownBy(() -> Keys.of(Strict.class).decode(Keys.string().encode("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no name");
    }
}
