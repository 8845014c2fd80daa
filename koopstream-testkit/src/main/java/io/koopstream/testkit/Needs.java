package io.koopstream.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The programs that a test or a class of tests needs. Where one is missing, the tests are not run, and the last lines of the build name them; when the
 * environment says {@code CI=true}, they fail.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
public @interface Needs {

    /** All of them. */
    Program[] value();

    /** What the reason of a test that was not run begins with. */
    String NOT_RUN = "not run: ";

    /** Whether the programs are there. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            List<Program> missing = context.getElement()
                    .flatMap(element -> AnnotationSupport.findAnnotation(element, Needs.class))
                    .map(needs -> Arrays.stream(needs.value())
                            .filter(program -> program.find().isEmpty())
                            .toList())
                    .orElse(List.of());
            return judge(missing, "true".equals(System.getenv("CI")));
        }

        static ConditionEvaluationResult judge(List<Program> missing, boolean mandatory) {
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("everything is there");
            }
            String reason =
                    String.join("; ", missing.stream().map(Program::missing).toList());
            if (mandatory) {
                throw new AssertionError(reason + " (with CI=true nothing may be missing)");
            }
            return ConditionEvaluationResult.disabled(NOT_RUN + reason);
        }
    }
}
