package io.koopstream.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** Calls that would break a promise, each with its reason. */
class ForbiddenApiTest {

    private static final String[] CORE = {
        "io.koopstream",
        "io.koopstream.kernel",
        "io.koopstream.learner..",
        "io.koopstream.operator",
        "io.koopstream.spectrum",
        "io.koopstream.state",
        "io.koopstream.theory",
        "io.koopstream.internal..",
        "io.koopstream.change",
        "io.koopstream.forecast..",
        "io.koopstream.rows",
        "io.koopstream.score",
        "io.koopstream.stream",
        "io.koopstream.tuning"
    };

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.koopstream");

    @Test
    void noJavaSerialization() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.Object(Input|Output)Stream")
                .because("reading one runs code of whoever wrote the bytes")
                .check(PRODUCT);
    }

    @Test
    void theCoreHasOneExponential() {
        for (String function : new String[] {"exp", "pow", "log", "log1p", "sin", "cos", "atan2"}) {
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE)
                    .should()
                    .callMethodWhere(callsTo(Math.class, function))
                    .because("Math." + function + " may differ by an ulp between machines: use Exp or StrictMath")
                    .check(PRODUCT);
        }
    }

    private static DescribedPredicate<JavaMethodCall> callsTo(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + name,
                call -> call.getTargetOwner().isEquivalentTo(owner)
                        && call.getName().equals(name));
    }

    /** A {@link LocalDate} is arithmetic of the calendar as long as nobody asks it for today. */
    @Test
    void theCoreHasNoHiddenClockNorRandomSource() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.Random|java\\.util\\.concurrent\\.ThreadLocalRandom|java\\.time\\.(?!LocalDate$).*")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .because("the state is a function of the samples and the settings alone")
                .check(PRODUCT);
    }

    @Test
    void noUnseededRandomAnywhere() {
        noClasses()
                .should()
                .callConstructor(java.util.Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .because("every random choice has a seed that the user can give")
                .check(PRODUCT);
    }
}
