package io.koopstream.lab.accuracy;

import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.spectrum.TrustRule;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Prints the tables of lab/records/accuracy.md. Arguments are the names of the parts wanted; none means all of them. What it prints is a
 * function of the code alone: every stream has a stated seed.
 */
public final class AccuracyStudy {

    private static final int[] MARKS = {2_000, 20_000, 40_000};
    private static final int SEEDS = 5;

    private static final Map<String, Consumer<PrintStream>> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("fourwell", AccuracyStudy::fourWell);
        PARTS.put("capped", AccuracyStudy::capped);
        PARTS.put("systems", AccuracyStudy::systems);
        PARTS.put("lorenz", out -> LorenzStudy.print(out, SEEDS, 2_000, 10_000, 20_000));
        PARTS.put("switches", out -> DriftStudy.switches(out, 20, 10_000, 5_000));
        PARTS.put("alarms", out -> DriftStudy.falseAlarms(out, 10, 20_000));
        PARTS.put("changes", out -> ChangeStudy.changes(out, 20, 501));
        PARTS.put("stationary", out -> ChangeStudy.falseAlarms(out, 10, 100_000, 601));
        PARTS.put("scores", out -> ChangeStudy.scores(out, 10, 100_000, 701));
        PARTS.put("faults", out -> FaultStudy.print(out, 10, 801));
        PARTS.put("coverage", AccuracyStudy::coverage);
        PARTS.put("proposals", AccuracyStudy::proposals);
        PARTS.put("peers", out -> PeerStudy.print(out, SEEDS));
    }

    /** Held, because loggers are otherwise collected with their settings: SOGD says what its settings miss, once a learner. */
    private static final Logger LEARNERS = Logger.getLogger("io.koopstream.learner");

    private AccuracyStudy() {}

    /** Runs the parts named by the arguments. */
    public static void main(String[] arguments) {
        LEARNERS.setLevel(Level.WARNING);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> wanted = arguments.length == 0 ? List.copyOf(PARTS.keySet()) : Arrays.asList(arguments);
        for (String part : wanted) {
            if (!PARTS.containsKey(part)) {
                throw new IllegalArgumentException(
                        "unknown part '" + part + "': must be one of " + String.join(", ", PARTS.keySet()));
            }
        }
        wanted.forEach(part -> {
            out.println("<!-- " + part + " -->");
            PARTS.get(part).accept(out);
            out.println();
        });
    }

    private static void fourWell(PrintStream out) {
        Table table = new Table(
                out,
                "method",
                "pairs",
                "m",
                "error 1 to 4: seed 1",
                "2",
                "3",
                "4",
                "5",
                "median",
                "error 5, 6: largest",
                "outside",
                "of them unflagged",
                "true ones flagged");
        for (Method method : Method.values()) {
            fourWell(table, method.toString(), SpectrumStudy.with(method, Subject.FOUR_WELL));
        }
        for (double epsilon : new double[] {0.2, 0.45}) {
            LeastSquaresConfig config = capped(DictionaryCap.NONE, epsilon);
            fourWell(
                    table,
                    Figures.format("least squares, epsilon %.2g", epsilon),
                    () -> Method.leastSquares(config, TrustRule.stochastic()));
        }
    }

    private static void fourWell(Table table, String label, SpectrumStudy.Start start) {
        SpectrumStudy.Outcome[] outcomes = SpectrumStudy.run(Subject.FOUR_WELL, start, SEEDS, 4, MARKS);
        for (int i = 0; i < MARKS.length; i++) {
            SpectrumStudy.Outcome found = outcomes[i];
            table.row(
                    label,
                    Figures.format("%,d", MARKS[i]),
                    Figures.range(found.sizes),
                    Figures.errors(found.leading),
                    Figures.error(Figures.median(found.leading)),
                    Figures.error(Figures.largest(found.following)),
                    IntStream.of(found.outside).sum(),
                    IntStream.of(found.unflagged).sum(),
                    IntStream.of(found.accused).sum());
        }
    }

    /** Least squares on the four wells with a full dictionary. */
    static LeastSquaresConfig capped(int maxDictionary, double epsilon) {
        return LeastSquaresConfig.forState(2, Subject.FOUR_WELL.kernel())
                .holdOut(HoldOutConfig.DEFAULT_SHARE)
                .epsilon(epsilon)
                .maxDictionary(maxDictionary)
                .build();
    }

    private static void capped(PrintStream out) {
        Table table = new Table(
                out,
                "maxDictionary",
                "epsilon",
                "pairs",
                "error 1 to 4: seed 1",
                "2",
                "3",
                "4",
                "5",
                "median",
                "error 5, 6: largest",
                "outside",
                "of them unflagged");
        capped(table, 60, 0.15);
        capped(table, 80, 0.15);
        capped(table, 100, 0.15);
        capped(table, 130, 0.15);
        capped(table, 100, 0.1);
    }

    private static void capped(Table table, int maxDictionary, double epsilon) {
        LeastSquaresConfig config = capped(maxDictionary, epsilon);
        SpectrumStudy.Outcome[] outcomes = SpectrumStudy.run(
                Subject.FOUR_WELL, () -> Method.leastSquares(config, TrustRule.stochastic()), SEEDS, 4, MARKS);
        for (int i = 0; i < MARKS.length; i++) {
            SpectrumStudy.Outcome found = outcomes[i];
            table.row(
                    maxDictionary,
                    epsilon,
                    Figures.format("%,d", MARKS[i]),
                    Figures.errors(found.leading),
                    Figures.error(Figures.median(found.leading)),
                    Figures.error(Figures.largest(found.following)),
                    IntStream.of(found.outside).sum(),
                    IntStream.of(found.unflagged).sum());
        }
    }

    private static void coverage(PrintStream out) {
        Table table = CoverageStudy.table(out);
        CoverageStudy.rows(table, Subject.FOUR_WELL, 10_000, 50);
        for (Subject subject : Subject.OTHERS) {
            CoverageStudy.rows(table, subject, 10_000, 50);
        }
    }

    private static void proposals(PrintStream out) {
        Table table = new Table(
                out,
                "system",
                "eigenvalues",
                "by hand: median",
                "worst",
                "proposed: median",
                "worst",
                "m",
                "sigma, lambda, epsilon (last seed)");
        ProposalStudy.row(table, Subject.FOUR_WELL, 1, 20_000, SEEDS);
        ProposalStudy.row(table, Subject.FOUR_WELL, 1000, 20_000, SEEDS);
        for (Subject subject : Subject.OTHERS) {
            ProposalStudy.row(table, subject, 1, 20_000, SEEDS);
        }
    }

    private static void systems(PrintStream out) {
        Table table = new Table(
                out,
                "system",
                "eigenvalues",
                "method",
                "pairs",
                "m",
                "largest error: median",
                "worst seed",
                "outside",
                "of them unflagged",
                "true ones flagged");
        for (Subject subject : Subject.OTHERS) {
            for (Method method : Method.values()) {
                SpectrumStudy.Outcome[] outcomes = SpectrumStudy.run(
                        subject, SpectrumStudy.with(method, subject), SEEDS, subject.eigenvalues(), MARKS);
                for (int i = 0; i < MARKS.length; i++) {
                    SpectrumStudy.Outcome found = outcomes[i];
                    table.row(
                            subject.name(),
                            subject.eigenvalues(),
                            method,
                            Figures.format("%,d", MARKS[i]),
                            Figures.range(found.sizes),
                            Figures.error(Figures.median(found.leading)),
                            Figures.error(Figures.largest(found.leading)),
                            IntStream.of(found.outside).sum(),
                            IntStream.of(found.unflagged).sum(),
                            IntStream.of(found.accused).sum());
                }
            }
        }
    }
}
