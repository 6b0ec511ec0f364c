package io.penstock.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.spring.session.PenstockSessionRepository.PenstockSession;
import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with one session, of which one is killed: the other goes on, and what was saved is there. */
class KilledServerTest {
    private static Penstock open(LocalCloud cloud, Tasks tasks) {
        return Penstock.open(Settings.on(cloud.objects(), cloud.queues(), tasks));
    }

    /** The process: counts in the session of the second argument, and tells each count that is saved. */
    public static void main(String[] arguments) {
        Tasks tasks = new ThreadTasks();
        PenstockSessionRepository repository =
                new PenstockSessionRepository(open(LocalCloud.attach(Path.of(arguments[0]), tasks), tasks));
        for (int count = 1; ; count++) {
            PenstockSession session = repository.findById(arguments[1]);
            session.setAttribute("theirs", count);
            repository.save(session);
            System.out.println(count);
            System.out.flush();
        }
    }

    @Test
    @Tag("slow")
    void theOtherServerGoesOn(@TempDir Path directory) throws Exception {
        Tasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks);
                Penstock store = open(cloud, tasks)) {
            PenstockSessionRepository repository = new PenstockSessionRepository(store);
            PenstockSession created = repository.createSession();
            repository.save(created);
            Process server = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            KilledServerTest.class.getName(),
                            directory.toString(),
                            created.getId())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            int theirs = 0;
            int ours = 0;
            try (BufferedReader saved = server.inputReader()) {
                while (theirs < 20) {
                    theirs = Integer.parseInt(saved.readLine());
                    PenstockSession session = repository.findById(created.getId());
                    session.setAttribute("ours", ++ours);
                    repository.save(session);
                }
                boolean unused = server.toHandle().destroyForcibly();
                for (String line = saved.readLine(); line != null; line = saved.readLine()) {
                    theirs = Integer.parseInt(line);
                }
            } finally {
                boolean unused = server.toHandle().destroyForcibly();
                server.waitFor();
            }
            PenstockSession found = repository.findById(created.getId());
            assertThat(found.<Integer>getAttribute("ours")).isEqualTo(ours);
            assertThat(found.<Integer>getAttribute("theirs")).isBetween(theirs, theirs + 1);
        }
    }
}
