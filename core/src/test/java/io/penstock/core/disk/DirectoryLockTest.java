package io.penstock.core.disk;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    private static final String PATH = System.getProperty("java.class.path");

    /** Another process, which tries to take a directory. Exit code 7: it has an owner. */
    public static void main(String[] arguments) {
        try (DirectoryLock taken = DirectoryLock.take(Path.of(arguments[0]))) {
            System.out.println(taken);
        } catch (InvalidRequestException owned) {
            System.exit(7);
        }
    }

    private static int ofAnotherProcess(Path directory) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        PATH,
                        DirectoryLockTest.class.getName(),
                        directory.toString())
                .start()
                .waitFor();
    }

    private static URL[] urls() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String one : PATH.split(System.getProperty("path.separator"))) {
            urls.add(Path.of(one).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    /** Two web applications in one server have a copy of the class each; one must not end the lock of the other. */
    @Test
    void anotherCopyOfTheClassIsRefusedAndTheLockStays(@TempDir Path temporary) throws Exception {
        Path directory = temporary.toRealPath();
        try (DirectoryLock lock = DirectoryLock.take(directory);
                URLClassLoader other = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
            var take = other.loadClass(DirectoryLock.class.getName()).getMethod("take", Path.class);
            assertThatThrownBy(() -> take.invoke(null, directory)).rootCause().hasMessageContaining("is in use");
            var owner = other.loadClass(DirectoryLock.class.getName()).getMethod("owner", Path.class);
            assertThat(owner.invoke(null, directory)).isEqualTo("this process");
            assertThat(ofAnotherProcess(directory)).isEqualTo(7);
            assertThatThrownBy(() -> DirectoryLock.take(directory)).is(code(ErrorCode.DIRECTORY_IN_USE));
        }
        assertThat(ofAnotherProcess(directory)).isZero();
    }
}
