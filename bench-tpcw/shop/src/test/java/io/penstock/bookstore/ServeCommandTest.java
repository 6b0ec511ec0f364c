package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line of {@code scripts/tpcw serve}. */
class ServeCommandTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --port 70000             | --port is out of range
                    --bucket abc             | --bucket is for --cloud aws
                    --cloud aws              | no bucket is given
                    --key-file /no/such/file | --key-file /no/such/file cannot be read
                    --key-file /dev/null     | --key-file /dev/null has fewer than 16
                    """)
    void wrongCommandLineIsRefusedInOneLine(String line, String message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        int code = new Shell(printed, new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(new CommandLine(new ServeCommand(printed)), () -> {}, line.split(" "));
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(message)
                .doesNotContain("Exception", "\tat ")
                .hasLineCount(1);
        assertThat(code).isEqualTo(Shell.USAGE);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
