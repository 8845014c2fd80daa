package io.koopstream.server.page;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the rules of axe-core on a page as it stands. */
final class Accessibility {

    private static final String SCRIPT = script();

    /** Every rule of WCAG 2.2 up to AA and the good practices; one line for each element that breaks one. */
    private static final String RUN = """
            async () => {
              const report = await axe.run(document, { resultTypes: ["violations"] });
              return report.violations.flatMap((rule) =>
                rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\\n", " ")}`));
            }""";

    private Accessibility() {}

    /** What is wrong, one line each. */
    static List<String> violations(Page page) {
        page.evaluate(SCRIPT);
        return ((List<?>) page.evaluate(RUN)).stream().map(String::valueOf).toList();
    }

    private static String script() {
        try (InputStream in = Accessibility.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
