package io.koopstream.answers;

import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.io.Json;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.VampScores;
import java.util.List;
import java.util.Optional;

/**
 * The leading eigenvalues of a model, largest modulus first.
 *
 * @param of which model it is about
 * @param dt how long a step lasts
 * @param timeUnit what times are counted in: {@code s}, {@code of the data} or {@code steps}
 * @param lambda the regularisation that was used
 * @param rank the rank that was used
 * @param heldOut pairs that learning held out
 * @param vamp variational scores of these eigenfunctions
 * @param eigenvalues the eigenvalues
 */
public record SpectrumAnswer(
        Version of,
        double dt,
        String timeUnit,
        double lambda,
        int rank,
        long heldOut,
        Vamp vamp,
        List<Eigenvalue> eigenvalues) {

    /**
     * Variational scores.
     *
     * @param scoredOn pairs on which they were computed; 0 where there are too few
     * @param vamp2 VAMP-2; NaN without pairs
     * @param vampE VAMP-E; NaN without pairs, and where the statistics that it needs are unknown
     */
    public record Vamp(int scoredOn, double vamp2, double vampE) implements Json.Part {

        static Vamp of(Optional<VampScores> scores) {
            return scores.map(all ->
                            new Vamp(all.pairs(), all.vamp2(), all.vampE().orElse(Double.NaN)))
                    .orElse(new Vamp(0, Double.NaN, Double.NaN));
        }
    }

    /** Keeps its own list. */
    public SpectrumAnswer {
        eigenvalues = List.copyOf(eigenvalues);
    }

    /**
     * The spectrum of a model.
     *
     * @param k how many eigenvalues, >= 1
     * @param clock how long a step lasts
     * @param others pairs to validate on; null for those that learning held out
     */
    public static SpectrumAnswer of(LearnedModel model, int k, Clock clock, Regularisation wish, HeldOutPairs others) {
        Regularised learned = model.forSpectra(wish);
        Spectrum spectrum = model.spectrum(learned, k);
        Optional<HeldOutPairs> pairs = others == null ? HeldOutPairs.of(model.settled()) : Optional.of(others);
        TrustReport trust = others == null
                ? model.trust(learned, k).orElse(null)
                : model.compute(() -> model.trust(learned, spectrum, others));
        return new SpectrumAnswer(
                model.version(),
                clock.dt(),
                clock.timeUnit(),
                learned.lambda(),
                learned.rank(),
                model.heldOut(),
                Vamp.of(pairs.map(all -> model.scores(spectrum, all))),
                Eigenvalue.of(spectrum, trust, unjudged(model), clock.dt()));
    }

    private static String unjudged(LearnedModel model) {
        return model.state() instanceof LeastSquaresState
                ? "too few pairs were held out to validate on"
                : "sogd learns every pair and holds none out to validate on";
    }
}
