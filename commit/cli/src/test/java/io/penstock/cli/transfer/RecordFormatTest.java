package io.penstock.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Entry;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFormatTest {
    /** Payloads that are JSON, or nearly. */
    private static final String[] TEXTS = {
        "{}",
        "[]",
        "[1,2 , {\"a\":[]}]",
        "\"text\"",
        "\"\\u00e9 \\n \\\"\"",
        "1",
        "-1.50e+10",
        "123456789012345678901234567890",
        "true",
        "null",
        "{\"a\":1,\"a\":2}",
        "{ \"a\" :\t1 }",
        " 1",
        "1 ",
        "{\n}",
        "[1\r]",
        "1 2",
        "{} {}",
        "{",
        "\"",
        "\"a",
        "nul",
        "NaN",
        "",
        "\"é漢😀\"",
        "{\"é\":\"😀\"}",
        "\u0000",
        "//",
        "01",
        "{\"key\":\"a\",\"value\":1}"
    };

    private static final String SYNTAX = "{}[]\",:0123 \n\\eE.-tnu";

    private static Bytes bytes(Random random) {
        if (random.nextBoolean()) {
            return Bytes.utf8(TEXTS[random.nextInt(TEXTS.length)]);
        }
        byte[] noise = new byte[random.nextInt(30)];
        random.nextBytes(noise);
        if (random.nextBoolean()) {
            for (int i = 0; i < noise.length; i++) {
                noise[i] = (byte) SYNTAX.charAt(Math.floorMod(noise[i], SYNTAX.length()));
            }
        }
        return Bytes.wrap(noise);
    }

    private static String write(RecordFormat format, List<Entry<Bytes, Bytes>> records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format.write(out, records.iterator());
        assertThat(out.toString("UTF-8").getBytes("UTF-8")).as("a file of text").isEqualTo(out.toByteArray());
        return out.toString("UTF-8");
    }

    private static List<Entry<Bytes, Bytes>> read(RecordFormat format, String text) {
        List<Entry<Bytes, Bytes>> found = new ArrayList<>();
        format.read(new ByteArrayInputStream(Bytes.utf8(text).array())).forEachRemaining(found::add);
        return found;
    }

    @ParameterizedTest
    @EnumSource(RecordFormat.class)
    void everyRecordComesBackToTheByte(RecordFormat format) throws IOException {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            List<Entry<Bytes, Bytes>> records = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                records.add(new Entry<>(bytes(random), bytes(random)));
            }
            String text = write(format, records);
            assertThat(read(format, text)).as("seed=" + seed).isEqualTo(records);
            assertThat(read(format, text.replace("\n", "\r\n")))
                    .as("seed=" + seed)
                    .isEqualTo(records);
        }
    }

    @Test
    void jsonStaysReadable() throws IOException {
        List<Entry<Bytes, Bytes>> records = List.of(
                new Entry<>(Bytes.utf8("a \"b\""), Bytes.utf8("{\"n\": 1.50}")),
                new Entry<>(Bytes.wrap(new byte[] {(byte) 0xff}), Bytes.utf8("no json")));
        assertThat(write(RecordFormat.JSONL, records))
                .isEqualTo("{\"key\":\"a \\\"b\\\"\",\"value\":{\"n\": 1.50}}\n"
                        + "{\"key64\":\"/w==\",\"value64\":\"bm8ganNvbg==\"}\n");
        assertThat(write(RecordFormat.CSV, records.subList(1, 2))).isEqualTo("key,payload\n/w==,bm8ganNvbg==\n");
    }

    /** Lines that another program has written. */
    /** A payload is a level deeper in its line. */
    @Test
    void deepJsonComesBack() throws IOException {
        List<Entry<Bytes, Bytes>> records = new ArrayList<>();
        for (int depth = 998; depth < 1003; depth++) {
            records.add(new Entry<>(Bytes.utf8("k" + depth), Bytes.utf8("[".repeat(depth) + "]".repeat(depth))));
        }
        assertThat(read(RecordFormat.JSONL, write(RecordFormat.JSONL, records))).isEqualTo(records);
    }

    @Test
    void theOrderOfMembersAndWhiteSpaceAreFree() {
        assertThat(read(RecordFormat.JSONL, "\n { \"value\" : [1, 2] , \"key\" : \"k\" } \n\n"))
                .containsExactly(new Entry<>(Bytes.utf8("k"), Bytes.utf8("[1, 2]")));
        assertThat(read(RecordFormat.JSONL, "{\"key\":\"k\",\"value\": 12 }"))
                .containsExactly(new Entry<>(Bytes.utf8("k"), Bytes.utf8("12")));
        assertThat(read(RecordFormat.CSV, "aw==,djE=")).containsExactly(new Entry<>(Bytes.utf8("k"), Bytes.utf8("v1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "{}",
                "[]",
                "{\"key\":\"secret\"}",
                "{\"key\":1,\"value\":2}",
                "{\"key\":\"k\",\"value\":1} x",
                "{\"key\":\"k\",\"value\":1,\"secret\":2}",
                "{\"key64\":\"secret!\",\"value\":1}",
                "{\"key\":\"\\ud83d\",\"value\":1}",
                "{\"key\":\"k\",\"value\":1,\"value\":2}",
                "{\"key\":\"k\",\"key64\":\"aw==\",\"value\":1}",
                "{\"key\":\"k\",\"value\":"
            })
    void aLineThatIsNoRecordIsTold(String line) {
        assertThatThrownBy(() -> read(RecordFormat.JSONL, "{\"key\":\"k\",\"value\":1}\n" + line))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("a line is not a record of this format; correct it, or give the right --format line=2");
        assertThatThrownBy(() -> read(RecordFormat.CSV, "key,payload\n" + line))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageNotContaining("secret")
                .hasMessageContaining("line=2");
    }

    /** The parser guessed such a line's encoding, and then there was no telling where a value stands in it. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void otherEncodingsAreRefused(String encoding) {
        byte[] line = "{\"key\":\"k\",\"value\":[1]}".getBytes(Charset.forName(encoding));
        Iterator<Entry<Bytes, Bytes>> records = RecordFormat.JSONL.read(new ByteArrayInputStream(line));
        assertThatThrownBy(records::next).isInstanceOf(InvalidRequestException.class);
    }
}
