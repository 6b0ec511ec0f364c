package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with the same repositories, of which one is killed: the other goes on, and nothing saved is lost. */
class KilledApplicationTest {
    private static final String ID = "c001";

    private static Settings settings(LocalCloud cloud, Tasks tasks) {
        return Settings.on(cloud.objects(), tasks);
    }

    /** The process: adds to the customer, and tells each addition that is saved. */
    public static void main(String[] arguments) {
        Tasks tasks = new ThreadTasks();
        LocalCloud cloud = LocalCloud.attach(Path.of(arguments[0]), tasks);
        Place.on(settings(cloud, tasks)).run(context -> {
            Customers customers = context.getBean(Customers.class);
            for (int count = 1; ; count++) {
                var unused = customers.add(ID, 1);
                System.out.println("added " + count);
                System.out.flush();
            }
        });
    }

    private static int count(String line) {
        return Integer.parseInt(line.substring("added ".length()));
    }

    @Test
    @Tag("slow")
    void theOtherGoesOn(@TempDir Path directory) {
        Tasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks)) {
            Place.on(settings(cloud, tasks)).run(context -> {
                Customers customers = context.getBean(Customers.class);
                customers.save(Customer.of(1, "city", 0));
                Process other = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledApplicationTest.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                int theirs = 0;
                int ours = 0;
                try (BufferedReader added = other.inputReader()) {
                    while (theirs < 20) {
                        theirs = count(added.readLine());
                        var unused = customers.add(ID, 1);
                        ours++;
                    }
                    boolean unused = other.toHandle().destroyForcibly();
                    for (String line = added.readLine(); line != null; line = added.readLine()) {
                        theirs = count(line);
                    }
                } finally {
                    boolean unused = other.toHandle().destroyForcibly();
                    other.waitFor();
                }
                var unused = customers.add(ID, 1);
                ours++;
                int points = customers.findById(ID).orElseThrow().points();
                assertThat(points - ours).isBetween(theirs, theirs + 1);
            });
        }
    }
}
