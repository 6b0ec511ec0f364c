package io.penstock.bench.tpcw;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpcwTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Tpcw.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Progress.NONE,
                arguments);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    compare --bogus                                     | unknown option
                    compare --transactions                              | missing required parameter
                    compare --transactions 0                            | --transactions is out of range; give 1 to
                    compare --transactions many                         | 'many' is not an int
                    compare --clients 1000                              | --clients is out of range
                    compare --items 3                                   | the scale is out of its range
                    compare --levels STRICT                             | one of [NAIVE, BASIC, MONOTONIC, ATOMIC
                    compare --profile aws-1999                          | no such profile; use one of paper-2008
                    compare --cloud mars                                | expected one of
                    compare --cloud local --profile aws-2026            | --profile is for the simulated cloud
                    compare --cloud simulated --dir /tmp                | --dir is for the local cloud
                    compare --cloud aws                                 | no bucket is given; name one of yours
                    compare --cloud aws --bucket b --endpoint-s3 here   | --endpoint-s3 is not an address
                    compare --cloud aws --bucket No                     | a bucket name must be 3 to 63 of
                    compare --cloud aws --bucket abc --processes 0      | --processes is out of range
                    compare --cloud aws --bucket abc --prefix A_B       | --prefix must have 1 to 12 of
                    compare --cloud aws --profile instant               | --profile is for the simulated cloud
                    compare --cloud local --processes 4                 | --processes is for --cloud aws
                    compare --bucket abc                                | --bucket is for --cloud aws
                    compare --layout per-leaf --partitions 2            | leave one of them out
                    compare --partitions 2000                           | a tree has 1 to 1024 PU queues
                    compare --checkpoint-interval soon                  | 'soon' is not a number
                    compare --checkpoint-interval 0                     | --checkpoint-interval must be above 0
                    compare --think-time -1                             | --think-time is out of range
                    compare --json /no/such/directory/x.json            | its directory is missing
                    compare --profile instant --json /                  | --json cannot write /
                    run --mix reading                                   | one of [BROWSING, SHOPPING, ORDERING]
                    run --browsers 0                                    | --browsers is out of range
                    run --minutes 0                                     | --minutes is out of range
                    run --ramp-up -1                                    | --ramp-up is out of range
                    run --servers 257                                   | --servers is out of range
                    run --ttl 0                                         | --ttl is out of range
                    run --zipf 9                                        | --zipf is out of range
                    run --items 3                                       | the scale is out of its range
                    run --cloud local --profile instant                 | --profile is for the simulated cloud
                    run --bucket abc                                    | --bucket is for --cloud aws
                    run --cloud aws --bucket abc --processes 8          | --processes 8 needs as many --servers
                    run --cloud local --crash-after 3                   | --crash-after is for the simulated cloud
                    run --crash-after 3 --servers 1                     | --crash-after needs a server that goes on
                    run --crash-after 61 --minutes 1                    | --crash-after is out of range
                    cost --tps 0                                        | --tps is out of range
                    cost --months -1                                    | --months is out of range
                    cost --prices no-such.json                          | no price list no-such.json can be read
                    report --out /no/such/directory/x.html              | --out /no/such/directory/x.html cannot be
                    report --out x.txt                                  | name an .html file
                    sell                                                | unmatched argument
                    """)
    void aWrongCommandLineIsToldInOneLine(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("tpcw: ")
                .contains(message)
                .doesNotContain("Exception", "\tat ")
                .hasLineCount(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void noCommandIsAWrongCommandLine() {
        assertThat(run()).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no command is given; use: compare, cost, ");
    }

    @Test
    void aDirectoryWithSomethingInItIsRefusedAndLeftAlone(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("mine"), "mine");
        assertThat(run("compare", "--cloud", "local", "--dir", directory.toString()))
                .isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is not empty; empty it, or name another");
        assertThat(file).hasContent("mine");
    }

    @Test
    void helpListsTheOptions() {
        assertThat(run("compare", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--cloud", "--profile", "--json", "--seed");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aTemporaryDirectoryGoesWithAllThatIsInIt() throws IOException {
        Path path;
        try (TemporaryDirectory directory = new TemporaryDirectory()) {
            path = directory.path();
            Files.createDirectories(path.resolve("a/b"));
            Files.writeString(path.resolve("a/b/c"), "c");
            assertThat(path).isDirectory();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void jsonIsWrittenWholeAndNothingElse(@TempDir Path directory) {
        Path file = directory.resolve("figures.json");
        JsonTarget.of("--json", file.toString()).write("[]\n", System.out);
        assertThat(file).hasContent("[]\n");
        assertThat(directory)
                .isDirectoryContaining(path -> path.equals(file))
                .isDirectoryNotContaining("glob:**/.tpcw*");
    }

    @Test
    void theBarIsWrittenOverAndGoneInTheEnd() {
        Progress bar = new Progress(new PrintStream(err, true, StandardCharsets.UTF_8));
        bar.begin("load", 200);
        bar.advance(1);
        bar.advance(99);
        bar.end();
        String[] frames = err.toString(StandardCharsets.UTF_8).split("\r\u001b\\[K", -1);
        assertThat(frames)
                .containsExactly(
                        "",
                        "[" + ".".repeat(30) + "]   0 % load",
                        "[" + "#".repeat(15) + ".".repeat(15) + "]  50 % load",
                        "");
    }

    @Test
    void progressMayAdvanceBeforeItBegins() {
        new Progress(new PrintStream(err, true, StandardCharsets.UTF_8)).advance(3);
        Progress.NONE.advance(3);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("100 %");
    }
}
