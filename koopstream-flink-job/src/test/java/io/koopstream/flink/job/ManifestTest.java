package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifest for the Flink operator by the schema that the operator installs. */
class ManifestTest {

    private static final String DEFINITION = "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";

    private static Map<?, ?> yaml(String text) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    /** The schema of a FlinkDeployment, of the newest operator whose definitions are on Maven Central. */
    private static Map<?, ?> schema() throws IOException {
        try (InputStream from = ManifestTest.class.getResourceAsStream(DEFINITION)) {
            Map<?, ?> definition = yaml(new String(from.readAllBytes(), StandardCharsets.UTF_8));
            List<?> versions = (List<?>) ((Map<?, ?>) definition.get("spec")).get("versions");
            Map<?, ?> newest = (Map<?, ?>) versions.get(versions.size() - 1);
            assertThat(newest.get("name")).isEqualTo("v1beta1");
            return (Map<?, ?>) ((Map<?, ?>) newest.get("schema")).get("openAPIV3Schema");
        }
    }

    private static String manifest() throws IOException {
        return Files.readString(Path.of("../deploy/flink/kubernetes/flinkdeployment.yaml"));
    }

    private static List<String> problems(String manifest) throws IOException {
        List<String> problems = new ArrayList<>();
        check("", yaml(manifest), schema(), problems);
        return problems;
    }

    /** What Kubernetes would object to: fields that there are not, other types, words that are none of those allowed. */
    private static void check(String at, Object value, Map<?, ?> schema, List<String> problems) {
        List<?> words = (List<?>) schema.get("enum");
        if (words != null && !words.contains(value)) {
            problems.add(at + ": " + value + " is none of " + words);
        }
        if (value instanceof Map<?, ?> map) {
            Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> named ? named : Map.of();
            Object others = schema.get("additionalProperties");
            boolean open = Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"));
            map.forEach((name, field) -> {
                if (properties.get(name) instanceof Map<?, ?> known) {
                    check(at + "." + name, field, known, problems);
                } else if (others instanceof Map<?, ?> any) {
                    check(at + "." + name, field, any, problems);
                } else if (!open && !isOfEveryObject(at + "." + name)) {
                    problems.add(at + "." + name + ": no such field");
                }
            });
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(at + "[" + i + "]", list.get(i), (Map<?, ?>) schema.get("items"), problems);
            }
        }
        if (schema.get("type") instanceof String type && !isOf(type, value)) {
            problems.add(at + ": " + value + " is no " + type);
        }
    }

    /** Not described in a definition. */
    private static boolean isOfEveryObject(String field) {
        return field.matches("\\.(apiVersion|kind|metadata|metadata\\.name)");
    }

    private static boolean isOf(String type, Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Integer || value instanceof Long;
            case "number" -> value instanceof Number;
            default -> false;
        };
    }

    @Test
    void theManifestIsWhatTheOperatorTakes() throws IOException {
        // Operators that know Flink 2.3 are newer than the definitions on Maven Central; all else must be right.
        assertThat(problems(manifest())).singleElement().asString().startsWith(".spec.flinkVersion: v2_3 is none of");
        assertThat(problems(manifest().replace("flinkVersion: v2_3", "flinkVersion: v1_20")))
                .isEmpty();
    }

    @Test
    void mistakesAreFound() throws IOException {
        String good = manifest().replace("flinkVersion: v2_3", "flinkVersion: v1_20");
        assertThat(problems(good.replace("entryClass:", "mainClass:")))
                .containsExactly(".spec.job.mainClass: no such field");
        assertThat(problems(good.replace("upgradeMode: savepoint", "upgradeMode: careful")))
                .singleElement()
                .asString()
                .startsWith(".spec.job.upgradeMode: careful is none of");
        assertThat(problems(good.replace("parallelism: 8", "parallelism: eight")))
                .containsExactly(".spec.job.parallelism: eight is no integer");
        assertThat(problems(good.replace("mountPath: /state", "path: /state")))
                .containsExactly(".spec.podTemplate.spec.containers[0].volumeMounts[0].path: no such field");
    }

    /** The image has the jar where the manifest looks for it, under the name that it has. */
    @Test
    void theManifestNamesTheImageThatIsBuilt() throws IOException {
        Map<?, ?> spec = (Map<?, ?>) yaml(manifest()).get("spec");
        String image = Files.readString(Path.of("../deploy/flink/image/pom.xml"));
        String version = image.replaceAll("(?s).*?<version>([^<]*)</version>.*", "$1");
        assertThat(Files.readString(Path.of("../pom.xml"))).contains("<version>" + version + "</version>");
        assertThat(spec.get("image")).isEqualTo("koopstream-flink-job:" + version);
        assertThat(((Map<?, ?>) spec.get("job")).get("jarURI"))
                .isEqualTo("local:///opt/flink/usrlib/koopstream-flink-job-" + version + "-all.jar");
        assertThat(image).contains("<into>/opt/flink/usrlib</into>");
        for (String part : List.of("cluster", "broker", "registry", "sql")) {
            assertThat(Files.readString(Path.of("../deploy/flink/" + part + "/pom.xml")))
                    .contains("<version>" + version + "</version>");
        }
    }
}
