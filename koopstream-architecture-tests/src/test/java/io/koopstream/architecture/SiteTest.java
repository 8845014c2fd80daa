package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents become one site in which every link leads somewhere. */
class SiteTest {

    @TempDir
    Path folder;

    @Test
    void everyLinkOfTheDocumentsLeadsSomewhere() throws IOException {
        assertThat(Site.write(Repository.root(), folder)).isEmpty();
        assertThat(folder.resolve("index.html"))
                .content()
                .contains("<h2 id=\"read-on\">Read on</h2>", "href=\"docs/cli.html\"", "<table>", "src=\"docs/images/");
        assertThat(folder.resolve("docs/tutorials/chaos.html"))
                .content()
                .contains("href=\"../../docs/cli.html\"", "data-up=\"../../\"");
        assertThat(folder.resolve("docs/decisions/index.html")).content().contains("docs/decisions/0001-");
        assertThat(folder.resolve("search-index.js")).content().contains("\"docs/data.html#");
    }

    @Test
    void linksToNothingAreFound() throws IOException {
        Path root = folder.resolve("root");
        Files.createDirectories(root.resolve("docs"));
        Files.writeString(
                root.resolve("README.md"),
                "# A\n\n[b](docs/b.md#there) [b](docs/b.md#gone) [c](c.md)\n\n## Read on\n\n- [b](docs/b.md)\n");
        Files.writeString(root.resolve("docs/b.md"), "# B\n\n## There\n\n[a](../README.md)\n");
        assertThat(Site.write(root, folder.resolve("site")))
                .containsExactlyInAnyOrder("README.md: nothing at c.md", "README.md: no heading #gone in docs/b.html");
    }
}
