package io.koopstream.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Dependencies point one way; docs/decisions/0004 says why this way. */
class DependencyDirectionTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.koopstream");

    /** Each package of the core with the packages it may see. */
    private static final Map<String, List<String>> CORE = Map.of(
            "linalg", List.of(),
            "kernel", List.of("linalg"),
            "dictionary", List.of("kernel", "linalg"),
            "operator", List.of("dictionary", "kernel", "linalg"),
            "learner", List.of("operator", "dictionary", "kernel", "linalg"),
            "spectrum", List.of("operator", "dictionary", "kernel", "linalg"),
            "forecast", List.of("operator", "dictionary", "kernel", "linalg"),
            "tuning", List.of("learner", "operator", "dictionary", "kernel", "linalg"),
            "theory", List.of("learner", "spectrum", "operator", "dictionary", "kernel", "linalg"));

    @TestFactory
    List<DynamicTest> packagesOfTheCoreSeeOnlyWhatTheyStandOn() {
        List<DynamicTest> tests = new ArrayList<>();
        CORE.forEach((name, allowed) -> tests.add(DynamicTest.dynamicTest(name, () -> {
            List<String> visible = new ArrayList<>(List.of("java..", "io.koopstream", "io.koopstream." + name));
            allowed.forEach(other -> visible.add("io.koopstream." + other));
            if (name.equals("linalg")) {
                visible.add("jdk.incubator.vector");
            }
            classes()
                    .that()
                    .resideInAPackage("io.koopstream." + name)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(visible.toArray(String[]::new))
                    .check(PRODUCT);
        })));
        return tests;
    }

    @Test
    void oneClassNeedsTheVectorModuleAndNobodyNeedsThatClass() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.koopstream.linalg.VectorProvider")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.incubator.vector")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.koopstream.linalg.VectorProvider")
                .because("the core runs without the module")
                .check(PRODUCT);
    }

    @Test
    void theErrorsDependOnNothing() {
        classes()
                .that()
                .resideInAPackage("io.koopstream")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "io.koopstream")
                .check(PRODUCT);
    }

    @Test
    void systemsDoNotSeeTheCore() {
        noClasses()
                .that()
                .resideInAPackage("io.koopstream.systems..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(corePackages())
                .check(PRODUCT);
    }

    @Test
    void controlStandsOnTheCoreAlone() {
        List<String> visible = new ArrayList<>(List.of(corePackages()));
        visible.addAll(List.of("java..", "io.koopstream", "io.koopstream.control"));
        classes()
                .that()
                .resideInAPackage("io.koopstream.control..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(visible.toArray(String[]::new))
                .check(PRODUCT);
    }

    @Test
    void experimentsSeeTheCoreAndTheSystemsOnly() {
        List<String> visible = new ArrayList<>(List.of(
                "java..",
                "org.apache.commons.rng..",
                "io.koopstream",
                "io.koopstream.systems",
                "io.koopstream.experiments"));
        visible.addAll(List.of(corePackages()));
        classes()
                .that()
                .resideInAPackage("io.koopstream.experiments..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(visible.toArray(String[]::new))
                .check(PRODUCT);
    }

    @Test
    void filesKnowNothingOfSystemsControlNorTheCommandLine() {
        noClasses()
                .that()
                .resideInAPackage("io.koopstream.io..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.koopstream.systems..", "io.koopstream.control..", "io.koopstream.cli..")
                .check(PRODUCT);
    }

    @Test
    void nothingDependsOnTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.koopstream.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.koopstream.cli..")
                .check(PRODUCT);
    }

    @Test
    void theCommandLineDoesNoLinearAlgebra() {
        noClasses()
                .that()
                .resideInAPackage("io.koopstream.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.koopstream.linalg..", "io.koopstream.dictionary..")
                .check(PRODUCT);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("io.koopstream.(*)..").should().beFreeOfCycles().check(PRODUCT);
    }

    private static String[] corePackages() {
        return CORE.keySet().stream().map(name -> "io.koopstream." + name).toArray(String[]::new);
    }
}
