package io.penstock.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The compiler of the JDK that runs the tests. */
public final class JdkCompiler {
    private JdkCompiler() {}

    /** Skips the test where there is none. */
    public static JavaCompiler require() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "a Java runtime without a compiler runs the tests");
        return Objects.requireNonNull(compiler);
    }
}
