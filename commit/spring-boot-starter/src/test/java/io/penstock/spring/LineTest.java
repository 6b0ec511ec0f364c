package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

/** The build runs these tests once on each line of Spring Boot, and the class path is that line's. */
class LineTest {
    @Test
    void theClassPathIsThatOfTheLine() {
        String line = System.getProperty("line.spring-boot");
        assumeThat(line).as("set by the build").isNotNull();
        assertThat(SpringBootVersion.getVersion()).startsWith(line);
        assertThat(SpringVersion.getVersion()).startsWith(line.startsWith("3") ? "6.2." : "7.0.");
    }
}
