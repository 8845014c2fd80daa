package io.koopstream.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
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

    private static final List<String> OPERATORS =
            List.of("operator", "state", "internal.dictionary", "kernel", "internal.linalg");
    private static final List<String> LEARNERS = List.of(
            "learner", "internal.learner", "operator", "state", "internal.dictionary", "kernel", "internal.linalg");
    private static final List<String> METHODS = List.of(
            "learner.sogd",
            "learner.leastsquares",
            "learner",
            "operator",
            "spectrum",
            "state",
            "internal.dictionary",
            "kernel",
            "internal.linalg");

    /** Each package of core and stream, and the theory, with the packages it may see. */
    private static final Map<String, List<String>> CORE = Map.ofEntries(
            Map.entry("internal.text", List.of()),
            Map.entry("internal.linalg", List.of()),
            Map.entry("kernel", List.of("internal.linalg")),
            Map.entry("state", List.of("kernel", "internal.linalg")),
            Map.entry("internal.dictionary", List.of("state", "kernel", "internal.linalg")),
            Map.entry("operator", List.of("state", "internal.dictionary", "kernel", "internal.linalg")),
            Map.entry("learner", OPERATORS),
            Map.entry("internal.learner", LEARNERS),
            Map.entry("learner.sogd", LEARNERS),
            Map.entry("learner.leastsquares", LEARNERS),
            Map.entry("spectrum", OPERATORS),
            Map.entry("theory", METHODS),
            Map.entry("internal.parts", List.of("learner", "state")),
            Map.entry("rows", List.of("internal.linalg", "internal.parts", "learner", "kernel", "state")),
            Map.entry("score", with(METHODS, "internal.parts")),
            Map.entry("change", with(METHODS, "internal.parts", "score")),
            Map.entry("tuning", with(METHODS, "rows")),
            Map.entry("stream", with(METHODS, "internal.parts", "rows", "change", "score", "tuning", "forecast")),
            Map.entry("forecast", with(METHODS, "internal.parts", "rows")));

    private static List<String> with(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all;
    }

    @TestFactory
    List<DynamicTest> packagesOfTheCoreSeeOnlyWhatTheyStandOn() {
        List<DynamicTest> tests = new ArrayList<>();
        CORE.forEach((name, allowed) -> tests.add(DynamicTest.dynamicTest(name, () -> {
            List<String> visible = new ArrayList<>(
                    List.of("java..", "io.koopstream", "io.koopstream.internal.text", "io.koopstream." + name));
            allowed.forEach(other -> visible.add("io.koopstream." + other));
            if (name.equals("internal.linalg")) {
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
    void theVectorClassesNeedTheModuleAndNobodyNeedsThem() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.koopstream\\.internal\\.linalg\\.Vector(Provider|Products|Tile|Pairs)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.incubator.vector")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("io\\.koopstream\\.internal\\.linalg\\.Vector(Provider|Products|Tile|Pairs)")
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
        visible.addAll(List.of("java..", "io.koopstream", "io.koopstream.control.."));
        classes()
                .that()
                .resideInAPackage("io.koopstream.control..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(visible.toArray(String[]::new))
                .check(PRODUCT);
    }

    @Test
    void experimentsSeeTheCoreTheSystemsAndControlOnly() {
        List<String> visible = new ArrayList<>(List.of(
                "java..",
                "org.apache.commons.rng..",
                "io.koopstream",
                "io.koopstream.systems",
                "io.koopstream.control..",
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
    void answersStandOnTheStreamAndOnFiles() {
        List<String> visible = new ArrayList<>(List.of(corePackages()));
        visible.removeIf(name -> name.endsWith("linalg"));
        visible.addAll(List.of(
                "java..", "io.koopstream", "io.koopstream.io", "io.koopstream.io.samples", "io.koopstream.answers"));
        classes()
                .that()
                .resideInAPackage("io.koopstream.answers")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(visible.toArray(String[]::new))
                .because("whoever serves answers brings the web, and whoever prints them the options")
                .check(PRODUCT);
    }

    @Test
    void theFlinkLibraryStandsOnLearnersAndFilesAndDoesNoArithmetic() {
        classes()
                .that()
                .resideInAnyPackage("io.koopstream.flink", "io.koopstream.flink.state")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.apache.flink..",
                        "io.koopstream",
                        "io.koopstream.flink",
                        "io.koopstream.flink.state",
                        "io.koopstream.io",
                        "io.koopstream.io.samples",
                        "io.koopstream.kernel",
                        "io.koopstream.change",
                        "io.koopstream.learner..",
                        "io.koopstream.operator",
                        "io.koopstream.rows",
                        "io.koopstream.score",
                        "io.koopstream.state",
                        "io.koopstream.stream",
                        "io.koopstream.tuning")
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

    /** Packages of the server with those of its own that they may not see. */
    @TestFactory
    List<DynamicTest> packagesOfTheServerStandOnEachOther() {
        Map<String, List<String>> hidden = Map.of(
                "durable", List.of("", ".engine..", ".http..", ".feed.."),
                "engine", List.of("", ".http..", ".feed.."),
                "http", List.of("", ".feed.."),
                "feed", List.of("", ".http.."));
        List<DynamicTest> tests = new ArrayList<>();
        hidden.forEach((name, others) -> tests.add(DynamicTest.dynamicTest(
                name,
                () -> noClasses()
                        .that()
                        .resideInAPackage("io.koopstream.server." + name + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(others.stream()
                                .map(other -> "io.koopstream.server" + other)
                                .toArray(String[]::new))
                        .check(PRODUCT))));
        return tests;
    }

    @Test
    void onlyTheInterfaceOfTheServerKnowsHttp() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.koopstream.server.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..", "io.micrometer..")
                .because("the engine is tested without a network, and could be served otherwise")
                .check(PRODUCT);
    }

    @Test
    void theServerDoesNoLinearAlgebra() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.koopstream.server", "io.koopstream.server.http..", "io.koopstream.server.feed..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.koopstream.internal.linalg..", "io.koopstream.internal.dictionary..")
                .check(PRODUCT);
    }

    @Test
    void theCommandLineDoesNoLinearAlgebra() {
        noClasses()
                .that()
                .resideInAPackage("io.koopstream.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.koopstream.internal.linalg..", "io.koopstream.internal.dictionary..")
                .check(PRODUCT);
    }

    @Test
    void theDurablePartKnowsBytesAndNothingOfModels() {
        classes()
                .that()
                .resideInAPackage("io.koopstream.server.durable")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "io.koopstream", "io.koopstream.io", "io.koopstream.server.durable")
                .check(PRODUCT);
    }

    @Test
    void theEngineKnowsNothingOfRequests() {
        List<String> visible = new ArrayList<>(List.of(corePackages()));
        visible.addAll(List.of(
                "java..",
                "io.koopstream",
                "io.koopstream.answers",
                "io.koopstream.io",
                "io.koopstream.io.samples",
                "io.koopstream.server.durable",
                "io.koopstream.server.engine"));
        classes()
                .that()
                .resideInAPackage("io.koopstream.server.engine")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(visible.toArray(String[]::new))
                .check(PRODUCT);
    }

    @Test
    void theFlinkJobDoesNoLinearAlgebraAndNobodyNeedsIt() {
        noClasses()
                .that()
                .resideInAPackage("io.koopstream.flink.job..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.koopstream.internal.linalg..",
                        "io.koopstream.internal.dictionary..",
                        "io.koopstream.cli..",
                        "io.koopstream.server..")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.koopstream.flink.job..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.koopstream.flink.job..")
                .check(PRODUCT);
        classes()
                .that()
                .resideOutsideOfPackage("io.koopstream.flink.job..")
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("org.apache.kafka.."))
                .because("Kafka is a matter of the job")
                .check(PRODUCT);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("io.koopstream.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    private static String[] corePackages() {
        return CORE.keySet().stream().map(name -> "io.koopstream." + name).toArray(String[]::new);
    }
}
