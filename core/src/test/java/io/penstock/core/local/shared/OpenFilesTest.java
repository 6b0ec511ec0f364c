package io.penstock.core.local.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An owner that once had too many open files took nobody any more, and who came then waited without an end. */
class OpenFilesTest {
    private static final int FILES_MAX = 130;
    private static final Duration PAUSE = Duration.ofMillis(20);

    @TempDir
    Path directory;

    @Test
    @EnabledOnOs(OS.LINUX)
    void anOwnerTakesOthersAgainOnceItHasFiles() throws IOException {
        Tasks tasks = new ThreadTasks();
        Process owner = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + FILES_MAX + "; exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = owner.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("open false");
            List<SocketChannel> connections = new ArrayList<>();
            boolean refused = false;
            while (!refused && connections.size() < FILES_MAX) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                connections.add(channel);
                channel.connect(UnixDomainSocketAddress.of(Sharing.socket(directory)));
                tasks.sleep(PAUSE); // else many more wait to be accepted, and a further one hangs
                while (!refused && said.ready()) {
                    refused = said.readLine().contains("oo many open files");
                }
            }
            assertThat(refused).isTrue();
            for (SocketChannel channel : connections) {
                channel.close();
            }
            tasks.sleep(Duration.ofSeconds(2));
            try (LocalCloud attached = LocalCloud.attach(directory, tasks)) {
                assertThat(attached.objects().get("a")).isEmpty();
            }
        } finally {
            owner.destroyForcibly();
        }
    }
}
