package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/** Flink's own SQL client, of both lines, runs the queries of docs/flink.md with the functions of the job's jar; it prints what the model says when asked directly. */
final class SqlProof {

    /** The newest clients of both lines on Maven Central. */
    private static final List<String> VERSIONS = List.of("2.3.0", "1.20.3");

    private static final WellStreams WELLS = new WellStreams(1, 5, 8);

    private SqlProof() {}

    static void run(Path root, Path work) throws Exception {
        Files.createDirectories(work);
        LearnerState state = SlotsProof.scout();
        Path model = work.resolve("model.safetensors");
        ModelFile.write(model, state);
        List<String> expected = expected(state);
        Path script = script(root, work, model);
        for (String version : VERSIONS) {
            Path pom = root.resolve("deploy/flink/sql/pom.xml");
            LocalCluster.command(
                    List.of("mvn", "-q", "-B", "-f", pom.toString(), "-Dflink.version=" + version, "package"));
            List<String> printed = printed(pom.resolveSibling("target").resolve(version), work, script);
            require(printed.equals(expected), "Flink " + version + " prints " + printed + " and not " + expected);
            OUT.printf("SQL client of Flink %s: %d rows as the model gives them%n", version, printed.size());
        }
    }

    /** What both queries must give: three steps from each state, and the score of each step. */
    private static List<String> expected(LearnerState state) {
        List<String> rows = new ArrayList<>();
        for (int t = 0; t <= WELLS.steps(); t++) {
            Forecast forecast =
                    Forecaster.of(state, DelayLayout.none(2)).forecast(WELLS.state(0, t), ForecastRequest.of(3));
            for (int step = 1; step <= 3; step++) {
                rows.add("w " + step + " " + forecast.mean(step)[0] + " " + forecast.quantile(step, 0, 0.05) + " "
                        + forecast.quantile(step, 0, 0.95) + " " + forecast.known(step));
            }
        }
        for (int t = 1; t <= WELLS.steps(); t++) {
            Score score = Scorer.of(state, 2, 1e-4).score(null, WELLS.state(0, t - 1), WELLS.state(0, t));
            rows.add("w " + -StrictMath.log10(score.p()) / 10 + " " + score.p() + " " + score.known());
        }
        return rows;
    }

    private static Path script(Path root, Path work, Path model) throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int t = 0; t <= WELLS.steps(); t++) {
            rows.append("w,")
                    .append(WELLS.state(0, t)[0])
                    .append(',')
                    .append(WELLS.state(0, t)[1])
                    .append('\n');
        }
        Path table = Files.createDirectories(work.resolve("wells"));
        Files.writeString(table.resolve("rows.csv"), rows);
        Path jar;
        try (var jars = Files.newDirectoryStream(root.resolve("koopstream-flink-job/target"), "*-all.jar")) {
            jar = jars.iterator().next().toAbsolutePath().normalize();
        }
        String guide = Files.readString(root.resolve("docs/flink.md"));
        String sql = guide.substring(guide.indexOf("```sql") + 6, guide.indexOf("```", guide.indexOf("```sql") + 6));
        sql = replaced(sql, "'/opt/[^']*'", "'" + jar + "'");
        sql = replaced(sql, "'file:[^']*safetensors'", "'" + model.toUri() + "'");
        sql = replaced(
                sql,
                "'connector' = 'kafka'[^)]*",
                "'connector' = 'filesystem', 'path' = '" + table.toUri() + "', 'format' = 'csv'");
        sql = replaced(sql, "WHERE s.p < [^;]*", "WHERE s.p <= 1");
        return Files.writeString(
                work.resolve("script.sql"),
                "SET 'sql-client.execution.result-mode' = 'tableau';\nSET 'parallelism.default' = '1';\n" + sql);
    }

    private static String replaced(String text, String pattern, String by) {
        String other = text.replaceAll(pattern, Matcher.quoteReplacement(by));
        require(!other.equals(text), "nothing like " + pattern + " in the queries of docs/flink.md");
        return other;
    }

    /** The rows that the client prints between its lines. */
    private static List<String> printed(Path lib, Path work, Path script) throws Exception {
        Path conf = Files.createDirectories(work.resolve("conf"));
        Files.writeString(
                conf.resolve("config.yaml"), "execution: {target: local}\nrest: {address: 127.0.0.1, port: 0}\n");
        Path output = work.resolve(lib.getFileName() + ".out");
        ProcessBuilder client = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        lib + "/*",
                        "org.apache.flink.table.client.SqlClient",
                        "embedded",
                        "-hist",
                        work.resolve("history").toString(),
                        "-f",
                        script.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        client.environment().put("FLINK_CONF_DIR", conf.toString());
        int code = client.start().waitFor();
        require(code == 0, "the SQL client ended with " + code + "; see " + output);
        return Files.readAllLines(output).stream()
                .filter(line -> line.startsWith("| +I |"))
                .map(line -> line.substring(6).replace('|', ' ').strip().replaceAll(" +", " "))
                .toList();
    }
}
