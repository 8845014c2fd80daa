package io.koopstream.answers;

import io.koopstream.InvalidQueryException;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.answers.ModesAnswer.Mode;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Projection;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Koopman modes in the columns of the data: E[row after s steps | x] ≈ mean + Σ_k λ_k^s m_k f_k(x) (Rowley, Mezić, Bagheri, Schlatter, Henningson, <i>Spectral analysis of nonlinear
 * flows</i>, J. Fluid Mech. 641, 2009). Of a conjugate pair there is one, the other is its conjugate. Those with most energy come first. Immutable.
 */
public final class KoopmanModes {

    /** Eigenpairs of largest modulus that modes are picked from: all of a linear operator of 64 coordinates and a delay. */
    private static final int CANDIDATES = 130;

    private final ModesAnswer answer;
    private final Projection projection;
    private final List<Found> found;

    /** A mode in the coordinates that were learned, times the root mean square of its eigenfunction. */
    @SuppressWarnings("ArrayRecordComponent") // made here and read alone
    private record Found(Complex eigenvalue, double[] re, double[] im, double energy) {}

    private KoopmanModes(ModesAnswer answer, Projection projection, List<Found> found) {
        this.answer = answer;
        this.projection = projection;
        this.found = found;
    }

    /**
     * The modes of a model.
     *
     * @param k how many, >= 1
     * @param clock how long a step lasts
     * @throws InvalidQueryException if there are none: of differences or logarithms, or where samples have left no statistics
     */
    public static KoopmanModes of(LearnedModel model, int k, Clock clock, Regularisation wish) {
        Preparation preparation = model.labels().preparation();
        if (preparation.words().containsKey("log") || preparation.words().containsKey("difference")) {
            throw new InvalidQueryException(
                    "modes are of the columns, and this model learned logarithms or differences of them; learn it without");
        }
        LeastSquaresState statistics = model.leastSquares()
                .orElseThrow(() -> new InvalidQueryException(
                        "the energy of modes follows from the statistics of least squares, which sogd has not; learn"
                                + " with --method least-squares"));
        Regularised learned = model.forSpectra(wish);
        Spectrum spectrum = model.spectrum(learned, Math.max(k, CANDIDATES));
        Complex[][] modes = model.compute(spectrum::modes);
        double[] squares = spectrum.meanSquares(statistics.meanCovariance());
        int coordinates = model.names().size();
        List<Found> all = new ArrayList<>();
        for (int i = 0; i < modes.length; i++) {
            if (spectrum.eigenvalue(i).im() >= 0) {
                all.add(found(spectrum.eigenvalue(i), modes[i], Math.sqrt(Math.max(0, squares[i])), coordinates));
            }
        }
        all.sort(Comparator.comparingDouble(Found::energy).reversed());
        List<Found> first = List.copyOf(all.subList(0, Math.min(k, all.size())));
        Projection projection = model.projection().orElse(null);
        int columns = projection == null ? coordinates : projection.dimension();
        double perRow = projection == null ? Double.NaN : projection.total() / projection.rows();
        return new KoopmanModes(
                new ModesAnswer(
                        model.version(),
                        clock.dt(),
                        clock.timeUnit(),
                        learned.lambda(),
                        columns,
                        Projected.of(projection),
                        first.stream()
                                .map(mode -> mode(mode, clock.dt(), columns, perRow))
                                .toList()),
                projection,
                first);
    }

    private static Found found(Complex eigenvalue, Complex[] mode, double size, int coordinates) {
        boolean pair = eigenvalue.im() > 0;
        double[] re = new double[coordinates];
        double[] im = new double[coordinates];
        double square = 0;
        for (int c = 0; c < coordinates; c++) {
            re[c] = (pair ? 2 : 1) * size * mode[c].re();
            im[c] = (pair ? 2 : 1) * size * mode[c].im();
            square += re[c] * re[c] + im[c] * im[c];
        }
        // The mean of Re(m e^{iφ})² over a turn is half of |m|².
        return new Found(eigenvalue, re, im, pair ? square / 2 : square);
    }

    private static Mode mode(Found found, double dt, int columns, double perRow) {
        double modulus = found.eigenvalue.modulus();
        double turn = Math.abs(found.eigenvalue.argument());
        return new Mode(
                found.eigenvalue.re(),
                found.eigenvalue.im(),
                modulus,
                turn > 0 ? 2 * Math.PI * dt / turn : Double.POSITIVE_INFINITY,
                modulus >= 1 ? Double.POSITIVE_INFINITY : -dt / StrictMath.log(modulus),
                Math.sqrt(found.energy / columns),
                found.energy / perRow);
    }

    /** The answer without the pictures. */
    public ModesAnswer answer() {
        return answer;
    }

    /** Number of modes. */
    public int size() {
        return found.size();
    }

    /**
     * Mode k in the columns of the data, {re, im} of each: its modulus is by how much the column swings (of a real one, its root mean square), its argument
     * when, relative to the column that swings most.
     */
    public double[][] columns(int k) {
        Found mode = found.get(k);
        double[][] parts = projection == null
                ? new double[][] {mode.re.clone(), mode.im.clone()}
                : new double[][] {projection.direction(mode.re), projection.direction(mode.im)};
        int largest = 0;
        for (int c = 0; c < parts[0].length; c++) {
            largest = square(parts, c) > square(parts, largest) ? c : largest;
        }
        double modulus = Math.sqrt(square(parts, largest));
        double cos = modulus == 0 ? 1 : parts[0][largest] / modulus;
        double sin = modulus == 0 ? 0 : parts[1][largest] / modulus;
        for (int c = 0; c < parts[0].length; c++) {
            double re = parts[0][c];
            parts[0][c] = re * cos + parts[1][c] * sin;
            parts[1][c] = parts[1][c] * cos - re * sin;
        }
        return parts;
    }

    private static double square(double[][] parts, int c) {
        return parts[0][c] * parts[0][c] + parts[1][c] * parts[1][c];
    }
}
