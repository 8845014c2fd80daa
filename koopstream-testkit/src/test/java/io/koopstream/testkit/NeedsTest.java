package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that lack a program are not run and named, and fail where nothing may be missing. */
class NeedsTest {

    @Test
    void aMissingProgramDisablesATestOrFailsIt() {
        assertThat(Needs.Condition.judge(List.of(), true).isDisabled()).isFalse();
        var result = Needs.Condition.judge(List.of(Program.CURL, Program.BASH), false);
        assertThat(result.isDisabled()).isTrue();
        assertThat(result.getReason().orElseThrow())
                .isEqualTo("not run: curl is missing; Debian: apt-get install curl; bash is missing; Debian: apt-get"
                        + " install bash");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Needs.Condition.judge(List.of(Program.CURL), true))
                .withMessageContaining("curl is missing");
    }

    @Test
    void theReportsOfThisBuildNameWhatWasNotRun(@TempDir Path root) throws Exception {
        write(root, "a", "LivePageTest", "not run: Chromium is missing");
        write(root, "b", "OtherPageTest", "not run: Chromium is missing");
        write(root, "b", "GuideTest", "not run: curl is missing");
        write(root, "b", "PosixTest", "no rights to take away");
        Files.setLastModifiedTime(
                write(root, "b", "EarlierTest", "not run: curl is missing"), FileTime.from(Instant.EPOCH));
        assertThat(NotRun.lines(root, Instant.EPOCH.plusSeconds(1)))
                .containsExactly(
                        "not run: LivePageTest, OtherPageTest (Chromium is missing)",
                        "not run: GuideTest (curl is missing)");
    }

    private static Path write(Path root, String module, String test, String reason) throws Exception {
        Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
        return Files.writeString(
                folder.resolve("TEST-x." + test + ".xml"),
                "<testsuite><testcase name=\"t\" classname=\"x." + test + "\"><skipped message=\"" + reason
                        + "\"/></testcase></testsuite>");
    }
}
