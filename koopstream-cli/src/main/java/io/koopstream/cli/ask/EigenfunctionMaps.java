package io.koopstream.cli.ask;

import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.PlanePlot;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Heat maps of eigenfunctions on a slice. */
public final class EigenfunctionMaps {

    /** Where the dictionary spans less than this of a state, the map shows that nothing is known. */
    private static final double MIN_COVERAGE = 0.5;

    private EigenfunctionMaps() {}

    /**
     * Eigenfunctions {@code first} to {@code last}, counted from 0. Of a conjugate pair the first map shows the real part and the
     * second the imaginary part.
     */
    public static Figure of(
            KoopmanOperator operator, Spectrum spectrum, Slice slice, int first, int last, double[][] marks) {
        double[][] points = slice.points();
        boolean[] known = new boolean[points.length];
        for (int i = 0; i < points.length; i++) {
            known[i] = operator.coverage(points[i]) >= MIN_COVERAGE;
        }
        Complex[][] values = spectrum.eigenfunctions(points);
        List<String> titles = new ArrayList<>();
        List<double[]> maps = new ArrayList<>();
        for (int k = first; k <= last; k++) {
            Complex eigenvalue = spectrum.eigenvalue(k);
            boolean imaginary = eigenvalue.im() < 0;
            String part = eigenvalue.im() == 0 ? "" : imaginary ? "Im " : "Re ";
            titles.add(
                    String.format(Locale.ROOT, "%sf%s,  λ = %s", part, subscript(k + 1), Numbers.complex(eigenvalue)));
            double[] map = new double[points.length];
            for (int i = 0; i < map.length; i++) {
                Complex value = values[i][k];
                map[i] = known[i] ? imaginary ? value.im() : value.re() : Double.NaN;
            }
            maps.add(map);
        }
        return PlanePlot.heatMaps(slice, titles, maps, operator.inputPoints(), marks);
    }

    /** The part of the state space that a picture shows: a plane of two coordinates, or all of the only one. */
    public static Slice region(double[][] states, int first, int second, List<String> names) {
        return names.size() == 1
                ? Slice.along(states, names.get(0))
                : Slice.through(states, first, second, names.get(first), names.get(second));
    }

    private static String subscript(int number) {
        StringBuilder text = new StringBuilder();
        for (char digit : Integer.toString(number).toCharArray()) {
            text.append((char) ('₀' + (digit - '0')));
        }
        return text.toString();
    }
}
