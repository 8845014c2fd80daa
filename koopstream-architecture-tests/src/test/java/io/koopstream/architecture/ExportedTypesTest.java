package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A ratchet: the number of public types that users of a library meet may fall, not rise. Lower a limit when a type goes. */
class ExportedTypesTest {

    @ParameterizedTest
    @CsvSource({"koopstream-core, 57", "koopstream-stream, 40"})
    void aModuleExportsNoMoreTypesThanBefore(String module, int limit) {
        List<String> exported = new ClassFileImporter()
                .importPath(Repository.root().resolve(module).resolve("target/classes")).stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> type.isTopLevelClass()
                                && !type.getPackageName().startsWith("io.koopstream.internal")
                                && !type.getSimpleName().equals("package-info"))
                        .map(JavaClass::getName)
                        .sorted()
                        .toList();
        assertThat(exported).as("exported by %s", module).hasSize(limit);
    }
}
