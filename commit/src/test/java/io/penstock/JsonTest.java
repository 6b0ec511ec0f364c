package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** What the codec writes it reads, and it is the same; the rest is refused when it is put. */
class JsonTest {
    private record Zoned(ZonedDateTime at, OffsetDateTime since) {}

    private record Times(Instant at, LocalDate day, Date old) {}

    private record Dated(Calendar at) {}

    private record Optionals(Optional<String> name) {}

    private interface Shape {}

    private record Circle(double r) implements Shape {}

    private record Drawing(Shape shape) {}

    private enum Color {
        RED
    }

    private record Painted(Color color, Map<String, Color> others) {}

    private record AsText(String color, Map<String, String> others) {}

    private record Checked(int count) {
        Checked {
            if (count > 9) {
                throw new IllegalArgumentException("too many");
            }
        }
    }

    private record Unchecked(int count) {}

    private static <V> V again(Json<V> codec, V value) {
        return codec.decode(codec.encode(value));
    }

    /** Jackson reads texts of 20 million characters, names of 50,000 and numbers of 1,000 digits, and writes longer. */
    @Test
    void whatIsLongIsRead() {
        String text = "x".repeat(21_000_000);
        assertThat(again(Json.of(String.class), text)).isEqualTo(text);
        Map<String, String> named = Map.of("k".repeat(60_000), "v");
        assertThat(again(Json.of(new TypeReference<Map<String, String>>() {}), named))
                .isEqualTo(named);
        BigInteger number = BigInteger.TEN.pow(3000);
        assertThat(again(Json.of(BigInteger.class), number)).isEqualTo(number);
    }

    @Test
    void whatIsDeepIsReadOrRefused() {
        Json<Object> codec = Json.of(Object.class);
        Object deep = "leaf";
        for (int i = 0; i < 1000; i++) {
            deep = List.of(deep);
        }
        assertThat(again(codec, deep)).isEqualTo(deep);
        Object deeper = List.of(deep);
        assertThatThrownBy(() -> codec.encode(deeper))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("depth");
    }

    /** A mapper of one's own has its own limits. What is beyond them was written, and never read again. */
    @Test
    void whatAnotherMapperCannotReadItDoesNotWrite() {
        Json<String> codec = Json.of(String.class, new JsonMapper());
        assertThatThrownBy(() -> codec.encode("x".repeat(21_000_000)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("StreamReadConstraints.getMaxStringLength()");
    }

    @Test
    void zonesAndOffsetsComeBack() {
        ZonedDateTime berlin = ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"));
        OffsetDateTime offset = OffsetDateTime.parse("2026-03-29T03:30:00.123456789+02:00");
        for (ZonedDateTime at : List.of(berlin, berlin.withLaterOffsetAtOverlap())) {
            Zoned zoned = new Zoned(at, offset);
            assertThat(again(Json.of(Zoned.class), zoned)).isEqualTo(zoned);
        }
        Calendar tokyo = new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo"));
        Calendar again = again(Json.of(Dated.class), new Dated(tokyo)).at();
        assertThat(again).isEqualTo(tokyo);
        assertThat(again.getTimeZone()).isEqualTo(tokyo.getTimeZone());
        Times times = new Times(Instant.MIN, LocalDate.MAX, new Date(5));
        assertThat(again(Json.of(Times.class), times)).isEqualTo(times);
    }

    /** Records of before have numbers. */
    @Test
    void olderFormsAreRead() {
        var plain = JsonMapper.builder().findAndAddModules().build();
        ZonedDateTime at = ZonedDateTime.parse("2026-10-25T01:30:00Z[UTC]");
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        Zoned old = new Zoned(at, at.toOffsetDateTime());
        assertThat(Json.of(Zoned.class).decode(Json.of(Zoned.class, plain).encode(old)))
                .extracting(
                        zoned -> zoned.at().toInstant(), zoned -> zoned.since().toInstant())
                .containsExactly(at.toInstant(), at.toInstant());
        assertThat(Json.of(Dated.class).decode(Json.of(Dated.class, plain).encode(new Dated(calendar))))
                .isEqualTo(new Dated(calendar));
    }

    @Test
    void decimalsAndLongsKeepTheirValues() {
        Map<String, Object> given = Map.of(
                "price", new BigDecimal("19.90"), "rest", new BigDecimal("0.1000000000000000055511151231257827"));
        Json<Map<String, Object>> codec = Json.of(new TypeReference<>() {});
        assertThat(again(codec, given)).isEqualTo(given);
        assertThat(again(codec, Map.of("id", 7L)).get("id"))
                .isInstanceOfSatisfying(
                        Number.class, id -> assertThat(id.longValue()).isEqualTo(7));
    }

    @Test
    void whatCannotBeReadAgainIsRefusedByNameOfFieldAndReason() {
        assertThatThrownBy(() -> Json.of(Optionals.class).encode(new Optionals(Optional.of("secret"))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("field=name")
                .hasMessageContaining("jackson-datatype-jdk8")
                .hasMessageNotContaining("secret")
                .hasCauseInstanceOf(Exception.class);
        assertThatThrownBy(() -> Json.of(Drawing.class).encode(new Drawing(new Circle(1))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("field=shape")
                .hasMessageContaining("abstract types");
    }

    @Test
    void theReasonIsToldWithoutTheValue() {
        var written = Json.of(AsText.class);
        assertThatThrownBy(() -> Json.of(Painted.class).decode(written.encode(new AsText("SECRET", Map.of()))))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("field=color")
                .hasMessageContaining("an unknown constant of " + Color.class.getName())
                .hasMessageNotContaining("SECRET");
        assertThatThrownBy(() ->
                        Json.of(Painted.class).decode(written.encode(new AsText("RED", Map.of("secret", "SECRET")))))
                .hasMessageContaining("field=others.[]")
                .hasMessageNotContaining("ecret")
                .hasMessageNotContaining("SECRET");
        assertThatThrownBy(() ->
                        Json.of(Checked.class).decode(Json.of(Unchecked.class).encode(new Unchecked(10))))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("why=java.lang.IllegalArgumentException")
                .hasRootCauseMessage("too many");
        List<Object> values = new ArrayList<>();
        values.add(values);
        assertThatThrownBy(() -> Json.of(Object.class).encode(values)).isInstanceOf(InvalidRequestException.class);
    }
}
