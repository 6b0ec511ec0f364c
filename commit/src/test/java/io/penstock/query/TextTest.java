package io.penstock.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextTest {
    private static final String[] PIECES = {
        "a", "b", "\u00e9", "\uffff", "\ud7ff", "\ue000", "\ud83d", "\ude00", "\ud83d\ude00", "\0"
    };

    /** The order of text is that of its bytes, also with halves of pairs. */
    @Test
    void textIsInTheOrderOfItsBytes() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String one = text(random);
            String other = text(random);
            Bytes a = Text.encode(one);
            Bytes b = Text.encode(other);
            assertThat(Integer.signum(Text.compare(one, other))).isEqualTo(Integer.signum(a.compareTo(b)));
            assertThat(Text.decode(a)).isEqualTo(one);
        }
    }

    /** Text without halves of pairs has the bytes of UTF-8. */
    @Test
    void wholeTextIsUtf8() {
        String whole = "a\u00e9\uffff\ud83d\ude00";
        assertThat(Text.encode(whole)).isEqualTo(Bytes.utf8(whole));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(5); n > 0; n--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }
}
