package io.penstock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.penstock.TimeAndChance;

/** Architecture rules of the operator's command. The module system already holds it to the library's public API. */
@AnalyzeClasses(packages = "io.penstock.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class CliArchitectureTest {
    private static final String CLI = "io.penstock.cli";

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.penstock.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule picocliOnlyInCommands = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, CLI + ".program..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule jacksonOnlyForJson = noClasses()
            .that()
            .resideOutsideOfPackages(CLI + ".access..", CLI + ".transfer..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml..");

    @ArchTest
    static final ArchRule timeChanceAndTasksAreInjected = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(CLI + ".SweepCommand")
            .should(TimeAndChance.beUsed())
            .because(TimeAndChance.REASON);
}
