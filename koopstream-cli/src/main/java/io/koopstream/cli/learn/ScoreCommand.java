package io.koopstream.cli.learn;

import io.koopstream.answers.Clock;
import io.koopstream.cli.plot.ScorePlot;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.cli.shell.ScoreSummary;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop score}. */
@Command(
        name = "score",
        mixinStandardHelpOptions = true,
        description = "Scores how unusual every row is for a learned model.",
        footer = {
            "",
            "Example:  koop score pump.safetensors today.csv -o scores.csv --plot scores.png",
            "          tail -f -n +1 sensor.csv | koop score pump.safetensors - -o -",
            "The table has one line per row: row,time,score,p,known,alarm, then, per coordinate, its value, the expected value and a 95 %%",
            "band. score: 0 to 1, 0.1 per factor of ten in rarity; p: share of rows with a residual as large; known: how well the model knows the",
            "state; alarm: 1 where an alarm begins. The model is not changed; to keep learning while scoring use 'koop learn --scores'. See",
            "docs/scores.md."
        })
public final class ScoreCommand extends KoopCommand {

    @Parameters(index = "0", paramLabel = "MODEL", description = "model of 'koop learn'")
    private Path model;

    @Parameters(index = "1", paramLabel = "DATA", description = "data file, or '-' for standard input")
    private Path data;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F.csv",
            description = "table of scores, '-' for standard output; default: only alarms are printed")
    private Path table;

    @Option(
            names = "--alarm-rate",
            paramLabel = "R",
            defaultValue = "2e-4",
            description = "false alarms per row in normal operation; default: ${DEFAULT-VALUE}")
    private double alarmRate;

    @Mixin
    private PlotOption plot;

    @Mixin
    private RowOptions columns;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        output.requireFree(table);
        output.requirePicture(plot.file());
        Model known = Model.read(model);
        Data rows = new Data(console, columns);
        boolean live = Output.isStandard(data);
        try (SampleReader reader = rows.open(data, known)) {
            rows.requireFitting(reader, known);
            ScoreSummary summary = new ScoreSummary(reader.names());
            try (ScoreSheet sheet = new ScoreSheet(
                    console, table, live, reader.names(), known.labels().preparation(), summary)) {
                Pass pass = new Pass(reader, known, sheet, summary, live);
                while (pass.more) {
                    rows.attempt(pass);
                }
                sheet.finish();
                rows.tellLeftOut(pass.trajectories);
            }
            rows.tellNotes(reader);
            rows.reportSkipped();
            if (plot.isGiven()) {
                ScorePlot.of(summary, reader.names(), LearnCommand.threshold(alarmRate))
                        .write(plot.file());
            }
            tell(summary);
        }
    }

    private void tell(ScoreSummary summary) {
        if (output.json()) {
            Map<String, Object> document = new LinkedHashMap<>(summary.document());
            document.put("model", model.toString());
            console.json(document);
        } else if (table == null || !Output.isStandard(table)) {
            summary.say(console);
            plot.say(console);
        }
    }

    /** Scores one row after another; the model stays as it is. */
    private final class Pass implements Data.RowAction {
        private final SampleReader reader;
        private final Clock clock;
        private final ScoreSheet sheet;
        private final ScoreSummary summary;
        private final boolean live;
        private final Trajectories trajectories;
        private final Scorer scorer;
        private final Sample sample = new Sample();
        private boolean more = true;
        private long alarms;

        Pass(SampleReader reader, Model model, ScoreSheet sheet, ScoreSummary summary, boolean live) {
            this.reader = reader;
            this.sheet = sheet;
            this.summary = summary;
            this.live = live;
            this.clock = Clock.of(model.labels().time(), null);
            this.trajectories = model.labels().newTrajectories(reader.names().size());
            this.scorer = model.scorer(alarmRate);
        }

        @Override
        public void run() throws IOException {
            try {
                more = reader.read(sample);
            } catch (BadRowException e) {
                sheet.unreadable();
                trajectories.interrupt(e.trajectory());
                throw e;
            }
            if (!more) {
                return;
            }
            long row = sheet.next(sample, clock);
            Outcome outcome = Data.place(reader, trajectories, sample, () -> sheet.record(row, null));
            double[] state = outcome.to();
            Score score = state == null
                    ? null
                    : outcome.isPair() ? scorer.score(null, outcome.from(), state) : scorer.first(null, state);
            sheet.record(row, score);
            if (live && summary.alarmed() > alarms) {
                alarms = summary.alarmed();
                console.tell("koop: alarm at %s", summary.newest().text());
            }
        }
    }
}
