package io.koopstream.cli.shell;

import io.koopstream.io.Reading;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.Resampling;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say what the columns of data mean, where the rows alone would tell something else. */
public class DataOptions {

    @Option(
            names = "--columns",
            paramLabel = "A,B",
            split = ",",
            hideParamSyntax = true,
            description = "columns of the state, in this order; default: all numeric columns without another role")
    private List<String> columns = List.of();

    @Option(
            names = "--ignore",
            paramLabel = "A,B",
            split = ",",
            hideParamSyntax = true,
            description = "columns to ignore")
    private List<String> ignored = List.of();

    @Option(
            names = "--time",
            paramLabel = "NAME",
            description = "column with the time, or 'none'; default: the first column that holds times")
    private String time;

    @Option(
            names = "--time-format",
            paramLabel = "PATTERN",
            description = "format of the times, e.g. 'd.M.yy H:mm'; default: detected from the first rows")
    private String timeFormat;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "column that identifies trajectories; default: 'trajectory'")
    private String group;

    @Option(
            names = "--header",
            negatable = true,
            description = "whether the first line of a CSV file holds column names; default: detected")
    private Boolean header;

    @Option(
            names = "--names",
            paramLabel = "A,B",
            split = ",",
            hideParamSyntax = true,
            description = "names of the coordinates; default: from the data, or x1,x2,...")
    private List<String> names = List.of();

    @Option(
            names = "--resample",
            paramLabel = "T[,HOW]",
            hideParamSyntax = true,
            description =
                    "rows at regular times, e.g. 1h: the mean of the rows in each hour, or with ',last' or ',linear' the last or an interpolated one")
    private String resample;

    /** The options that data which come later need too. */
    public final Reading reading() {
        return new Reading(
                Objects.requireNonNullElse(group, ""),
                Objects.requireNonNullElse(time, ""),
                Objects.requireNonNullElse(resample, ""),
                Objects.toString(header, ""));
    }

    /** What was said. */
    public final ColumnOptions columns() {
        ColumnOptions said = new ColumnOptions(
                stripped(columns),
                stripped(ignored),
                time,
                timeFormat,
                group,
                header,
                stripped(names),
                Set.of(),
                List.of());
        return resample == null ? said : said.withResampling(Resampling.parse(resample));
    }

    private static List<String> stripped(List<String> names) {
        return names.stream().map(String::strip).toList();
    }
}
