package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

/** What a native image is told. No image is built here. */
class StoreHintsTest {
    @Stored("deeds")
    record Deed(@Key String number, List<Part> parts) {
        record Part(String name, int cents) {}
    }

    @TestConfiguration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @Import({
        PenstockAutoConfiguration.class,
        PenstockTransactionManagementAutoConfiguration.class,
        Contexts.Application.class
    })
    static class Application {}

    private static void knows(RuntimeHints hints, Class<?> record) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(record)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                .accepts(hints);
        assertThat(hints.reflection().getTypeHint(record).methods())
                .extracting(ExecutableHint::getName)
                .containsAll(Arrays.stream(record.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    @Test
    void theDefinitionsOfTheStoreAreKnown() {
        RuntimeHints hints = new RuntimeHints();
        AotServices.factories().load(RuntimeHintsRegistrar.class).stream()
                .filter(StoreHints.class::isInstance)
                .forEach(each -> each.registerHints(hints, null));
        knows(hints, CollectionDefinition.class);
        knows(hints, IndexDefinition.class);
    }

    /** As the build of a native image does: an application is processed before it runs. */
    @Test
    void anApplicationIsProcessed() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generated =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get("test", "Shop")), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment().getPropertySources().remove("systemProperties");
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", Map.of("penstock.in-memory", "true")));
            context.register(Application.class);
            assertThat(new ApplicationContextAotGenerator().processAheadOfTime(context, generated))
                    .isNotNull();
        }
        generated.writeGeneratedContent();
        assertThat(files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE)).isNotEmpty();
        knows(generated.getRuntimeHints(), Deed.class);
        knows(generated.getRuntimeHints(), Deed.Part.class);
        knows(generated.getRuntimeHints(), CollectionDefinition.class);
    }
}
