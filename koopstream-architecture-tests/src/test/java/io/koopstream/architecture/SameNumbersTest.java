package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that are written in two languages have the same numbers in both. */
class SameNumbersTest {

    private static final String PAGE = "koopstream-server/src/main/resources/io/koopstream/server/web/finding.js";

    @Test
    void theCommandAndThePageCallTheSameThingAGap() throws IOException {
        assertThat(number(PAGE, "GAP"))
                .isEqualTo(number("koopstream-cli/src/main/java/io/koopstream/cli/learn/Conclusion.java", "MIN_GAP"));
        assertThat(number(PAGE, "SLOWEST_SHARE"))
                .isEqualTo(number(
                        "koopstream-core/src/main/java/io/koopstream/spectrum/SpectralGap.java", "SLOWEST_SHARE"));
    }

    private static double number(String file, String name) throws IOException {
        Matcher found = Pattern.compile("\\b" + name + " = ([0-9.eE+-]+);")
                .matcher(Files.readString(Repository.root().resolve(file)));
        assertThat(found.find()).as("%s in %s", name, file).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
