package io.koopstream.cli.learn;

import io.koopstream.cli.plot.CoursePlot;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.internal.text.Decimals;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.io.samples.TableColumn;
import io.koopstream.io.samples.TableColumn.Meaning;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.rows.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code koop look}. */
@Command(
        name = "look",
        mixinStandardHelpOptions = true,
        description = "Shows what is in a data file, and the command that learns from it.",
        footer = {
            "",
            "Example:  koop look sensor.csv",
            "          koop look sensor.csv --plot sensor.png",
            "docs/data.md has all supported formats."
        })
public final class LookCommand extends KoopCommand {

    private static final int PICTURE_WIDTH = 32;
    /** Columns that one screen has room for. */
    private static final int MAX_COLUMNS = 16;

    private static final int MAX_TRAJECTORIES = 1_000;
    private static final int PLOTTED = 500;
    /** Values that stand in fewer rows, on average, are no names of trajectories. */
    private static final int MIN_ROWS = 3;

    private static final List<String> ROUND_TIMES = List.of(
            "1s", "2s", "5s", "10s", "15s", "30s", "1min", "2min", "5min", "10min", "15min", "30min", "1h", "2h", "3h",
            "6h", "12h", "1d", "7d");

    private boolean dated;

    @Parameters(paramLabel = "DATA", description = "data file, or '-' for standard input")
    private Path data;

    @Mixin
    private PlotOption plot;

    @Mixin
    private DataOptions columns;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        output.requirePicture(plot.file());
        Data rows = new Data(console, columns, true);
        try (SampleReader reader = rows.open(data)) {
            Survey survey = Survey.of(reader);
            rows.tellNotes(reader);
            dated = reader.timeStyle().map(TimeStyle::isDated).orElse(false);
            String group = group(reader, survey);
            String line = line(survey, group);
            if (output.json()) {
                console.json(json(reader, survey, group, line));
            } else {
                print(reader, survey, group, line);
            }
            if (plot.isGiven()) {
                CoursePlot.of(
                                few(survey.columns()).stream()
                                        .map(ColumnSurvey::name)
                                        .toList(),
                                few(survey.columns()).stream()
                                        .map(column -> column.course(PLOTTED))
                                        .toList(),
                                survey.columns().get(0).rowsPerStretch(PLOTTED))
                        .write(plot.file());
                console.tell("Picture: %s", plot.file());
            }
        }
    }

    /** A column that tells trajectories apart, as it seems: within its values times rise, without it they begin again. Null for none. */
    private String group(SampleReader reader, Survey survey) throws IOException {
        ColumnOptions said = columns.columns();
        if (survey.restarts() == 0 || said.group() != null || Output.isStandard(data)) {
            return null;
        }
        List<String> candidates = new ArrayList<>();
        reader.columns().stream()
                .filter(column -> column.meaning() == Meaning.TEXT)
                .forEach(column -> candidates.add(column.name()));
        int coordinates = survey.columns().size();
        survey.columns().stream()
                .filter(column -> coordinates > 1
                        && coordinates < ProjectOption.WIDE
                        && said.names().isEmpty()
                        && column.isWhole()
                        && !column.isConstant())
                .forEach(column -> candidates.add(column.name()));
        for (String name : candidates) {
            ColumnOptions grouped = said.withColumns(said.columns().stream()
                            .filter(column -> !column.equals(name))
                            .toList())
                    .withGroup(name);
            try (SampleReader again = SampleReaders.open(data, grouped)) {
                Survey apart = Survey.of(again);
                if (apart.restarts() == 0
                        && apart.trajectories() <= Math.min(MAX_TRAJECTORIES, apart.rows() / MIN_ROWS)) {
                    return name;
                }
            }
        }
        return null;
    }

    /** The line that learns from the data. */
    private String line(Survey survey, String group) {
        ColumnOptions said = columns.columns();
        Set<String> useless = new TreeSet<>(survey.constant());
        useless.addAll(survey.equal().keySet());
        List<String> kept = survey.columns().stream()
                .map(ColumnSurvey::name)
                .filter(name -> !useless.contains(name) && !name.equals(group))
                .toList();
        boolean picks = said.names().isEmpty() && !useless.isEmpty() && !kept.isEmpty() && kept.size() <= MAX_COLUMNS;
        StringBuilder line =
                new StringBuilder("koop learn " + quoted(data.toString()) + " -o ").append(quoted(modelName()));
        add(line, "--columns", picks ? String.join(",", kept) : String.join(",", said.columns()));
        add(line, "--ignore", picks ? "" : String.join(",", said.ignored()));
        add(line, "--time", said.time());
        add(line, "--time-format", said.timeFormat());
        add(line, "--group", said.group() != null ? said.group() : group);
        add(line, "--resample", resample(survey));
        add(line, "--names", String.join(",", said.names()));
        if (said.header() != null) {
            line.append(said.header() ? " --header" : " --no-header");
        }
        return line.append(survey.bad() > 0 ? " --skip-bad" : "").toString();
    }

    /** The regular times that rows of irregular times are proposed to be resampled at: nearly all rows follow within one interval. Empty for none. */
    private String resample(Survey survey) {
        String said = columns.reading().resample();
        if (!said.isEmpty() || !survey.isIrregular()) {
            return said;
        }
        double wanted = Math.min(survey.within(0.99), 10 * survey.interval());
        for (String time : ROUND_TIMES) {
            if (dated && Durations.parse(time) >= wanted) {
                return time;
            }
        }
        double power = Math.pow(10, Math.floor(Math.log10(wanted)));
        return Decimals.text(power * (wanted <= power ? 1 : wanted <= 2 * power ? 2 : wanted <= 5 * power ? 5 : 10));
    }

    private String modelName() {
        String name = Output.isStandard(data) ? "model" : String.valueOf(data.getFileName());
        return name.replaceAll("(?i)(\\.(csv|tsv|txt|json|jsonl|ndjson|parquet|npy|npz|gz|zst))+$", "")
                + ".safetensors";
    }

    private static void add(StringBuilder line, String option, String value) {
        if (value != null && !value.isEmpty()) {
            line.append(' ').append(option).append(' ').append(quoted(value));
        }
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./,:+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private void print(SampleReader reader, Survey survey, String group, String line) {
        console.say(
                "%s: %,d rows%s, states of %s%s.",
                reader.source(),
                survey.rows(),
                survey.bad() > 0 ? String.format(Locale.ROOT, " and %,d unreadable", survey.bad()) : "",
                Numbers.counted(survey.columns().size(), "coordinate"),
                reader.isPairs() ? " in pairs" : "");
        if (survey.firstBad() != null) {
            console.say("First unreadable row: %s", survey.firstBad());
        }
        reader.timeStyle().ifPresent(style -> console.say("%s", times(style, survey)));
        if (survey.trajectories() > 0) {
            console.say(
                    "%,d trajectories%s.",
                    survey.trajectories(), survey.trajectories() > MAX_TRAJECTORIES ? " or more" : "");
        }
        List<ColumnSurvey> shown = survey.columns().size() <= MAX_COLUMNS
                ? survey.columns()
                : survey.columns().subList(0, MAX_COLUMNS - 1);
        int width =
                shown.stream().mapToInt(column -> column.name().length()).max().orElse(6);
        console.say("%-" + Math.max(6, width) + "s  missing        min       mean        max  course", "column");
        for (ColumnSurvey column : shown) {
            double largest = Math.max(Math.abs(column.min()), Math.abs(column.max()));
            DoubleFunction<String> number = Numbers.digits((column.max() - column.min()) / 100, largest);
            console.say(
                    "%-" + Math.max(6, width) + "s %6.1f %% %10s %10s %10s  %s",
                    column.name(),
                    100 * column.missingShare(),
                    number.apply(column.min()),
                    number.apply(column.mean()),
                    number.apply(column.max()),
                    column.picture(PICTURE_WIDTH));
        }
        if (shown.size() < survey.columns().size()) {
            int more = survey.columns().size() - shown.size();
            console.say(
                    survey.columns().size() < ProjectOption.WIDE
                            ? "%,d more columns: --json lists them all."
                            : "%,d more columns: a field, which is learned as the few patterns along which it varies most"
                                    + " (--project); 'koop modes' shows how they move.",
                    more);
        }
        List<String> aside = reader.columns().stream()
                .filter(column -> column.meaning() == Meaning.TEXT || column.meaning() == Meaning.SET_ASIDE)
                .map(TableColumn::name)
                .toList();
        say("Ignored", aside);
        say("Constant", survey.constant());
        say(
                "Equal in every row",
                survey.equal().entrySet().stream()
                        .map(pair -> pair.getValue() + " and " + pair.getKey())
                        .toList());
        if (group != null) {
            console.say("Times begin again for every '%s': it identifies trajectories.", group);
        } else if (survey.restarts() > 0) {
            console.say(
                    "%s not later than the one before. If there are several trajectories, name their column with"
                            + " --group.",
                    survey.restarts() == 1
                            ? "1 row is"
                            : String.format(Locale.ROOT, "%,d rows are", survey.restarts()));
        }
        if (survey.isIrregular()) {
            console.say(
                    "%,d rows come at irregular times, so that many follow nothing; --resample %s makes regular rows of"
                            + " them, ',last' and ',linear' in other ways.",
                    survey.irregular(), resample(survey));
        }
        console.say("");
        console.say("%s", line);
    }

    private void say(String what, List<String> names) {
        if (!names.isEmpty()) {
            console.say("%s: %s.", what, Numbers.some(names));
        }
    }

    private static String times(TimeStyle style, Survey survey) {
        String gaps = survey.gaps() == 0 ? "no gaps" : Numbers.counted(survey.gaps(), "gap");
        return String.format(
                Locale.ROOT,
                "Times from %s to %s, %s apart, %s%s.",
                style.format(survey.firstTime()),
                style.format(survey.lastTime()),
                style.isDated() && survey.isOfWorkingDays()
                        ? "1 working day"
                        : interval(survey.interval(), style.isDated()),
                gaps,
                survey.falls() == 0
                        ? ""
                        : ", " + Numbers.counted(survey.falls(), "row") + " earlier than the one before");
    }

    /** A difference of times in the largest unit of which it is a multiple. */
    private static String interval(double seconds, boolean dated) {
        Map<String, Double> units = new LinkedHashMap<>();
        units.put("day", 86_400.0);
        units.put("hour", 3_600.0);
        units.put("minute", 60.0);
        if (!dated) {
            return Numbers.shortest(seconds);
        }
        for (Map.Entry<String, Double> unit : units.entrySet()) {
            if (Durations.isMonths(seconds)) {
                break;
            }
            double count = seconds / unit.getValue();
            if (count >= 1 && count == Math.rint(count)) {
                return (long) count + " " + unit.getKey() + (count > 1 ? "s" : "");
            }
        }
        return Durations.text(seconds);
    }

    /** All columns, or the first ones of a field. */
    private static <T> List<T> few(List<T> columns) {
        return columns.size() < ProjectOption.WIDE ? columns : columns.subList(0, MAX_COLUMNS);
    }

    private Map<String, Object> json(SampleReader reader, Survey survey, String group, String line) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("rows", survey.rows());
        result.put("bad", survey.bad());
        result.put("pairs", reader.isPairs());
        List<Object> all = new ArrayList<>();
        result.put("coordinates", survey.columns().size());
        for (ColumnSurvey column : few(survey.columns())) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", column.name());
            one.put("missing", column.missingShare());
            one.put("min", column.min());
            one.put("mean", column.mean());
            one.put("max", column.max());
            one.put("constant", column.isConstant());
            one.put("equalTo", survey.equal().get(column.name()));
            all.add(one);
        }
        result.put("state", all);
        List<Object> meanings = new ArrayList<>();
        for (TableColumn column : few(reader.columns())) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", column.name());
            one.put("meaning", column.meaning().name().toLowerCase(Locale.ROOT));
            meanings.add(one);
        }
        result.put("columns", meanings);
        reader.timeStyle().ifPresent(style -> {
            Map<String, Object> time = new LinkedHashMap<>();
            time.put("written", style.toString());
            time.put("dated", style.isDated());
            time.put("first", style.format(survey.firstTime()));
            time.put("last", style.format(survey.lastTime()));
            time.put("interval", survey.interval());
            time.put("gaps", survey.gaps());
            time.put("falls", survey.falls());
            time.put("irregular", survey.irregular());
            result.put("time", time);
        });
        result.put("trajectories", survey.trajectories());
        result.put("group", group);
        result.put("notes", reader.notes());
        result.put("learn", line);
        return result;
    }
}
