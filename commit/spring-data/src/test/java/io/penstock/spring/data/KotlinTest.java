package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.spring.PenstockTemplate;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data classes of Kotlin, compiled here: as payloads, with annotations, and in repositories. */
class KotlinTest {
    @TempDir
    private Path classes;

    private void compile() throws URISyntaxException {
        Path source = Path.of(getClass().getResource("/Shop.kt").toURI());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ExitCode code = new K2JVMCompiler()
                .exec(
                        new PrintStream(said, true, StandardCharsets.UTF_8),
                        "-d",
                        classes.toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-no-stdlib",
                        "-no-reflect",
                        "-java-parameters",
                        "-jvm-target",
                        "21",
                        source.toString());
        assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
    }

    @Test
    void dataClassesAreRecords() throws Exception {
        compile();
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()});
                Penstock store = Penstock.open(Settings.inMemory())) {
            Class<?> shop = loader.loadClass("shop.Shop");
            assertThat(shop.getMethod("notes", Penstock.class).invoke(null, store))
                    .hasToString("[Note(text=Dams, stars=4, by=Ada), Note(text=Dams, stars=4, by=Ada),"
                            + " Note(text=Weirs, stars=3, by=null)]");
            Class<?> type = loader.loadClass("shop.Books");
            PenstockRepositoryFactory factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
            factory.setBeanClassLoader(loader);
            assertThat(shop.getMethod("books", type).invoke(null, factory.getRepository(type)))
                    .hasToString("[1, 7, null, 1, Bob]");
        }
    }
}
