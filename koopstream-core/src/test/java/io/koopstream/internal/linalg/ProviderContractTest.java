package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every provider gives the bits of the chains that {@link Provider} promises, at every size and from every start. */
class ProviderContractTest {

    /** Plain Java, and the Vector API where the machine offers it, alone and after plain Java. */
    static final List<Provider> PROVIDERS = providers();

    private static List<Provider> providers() {
        Provider vector = Providers.vectorOrNull();
        // The third takes over in the middle of a test.
        return vector == null
                ? List.of(new PlainProvider())
                : List.of(new PlainProvider(), vector, new PlainFirst(() -> vector, 100_000));
    }

    /** All small sizes, then odd ones, and the neighbours of powers of two up to 4098. */
    private static List<Integer> sizes() {
        List<Integer> sizes = new ArrayList<>();
        for (int n = 1; n <= 70; n++) {
            sizes.add(n);
        }
        for (int n = 71; n < 4098; n += 2 * (n / 17) + 2) {
            sizes.add(n);
        }
        for (int power = 128; power <= 4096; power *= 2) {
            for (int n = power - 2; n <= power + 2; n++) {
                sizes.add(n);
            }
        }
        return sizes;
    }

    private static double[] numbers(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] numbers = new double[n];
        for (int i = 0; i < n; i++) {
            // Magnitudes far apart, so that another order of summation would show.
            numbers[i] = (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(40) - 20);
        }
        return numbers;
    }

    private static double[][] columns(int rows, int count, long seed) {
        double[][] columns = new double[count][];
        for (int j = 0; j < count; j++) {
            columns[j] = numbers(rows, seed + 1000 + j);
        }
        return columns;
    }

    private interface Change {
        void apply(Provider provider, double[] target);
    }

    private interface Entry {
        double of(int i, double before);
    }

    /** Entries before {@code from} stay as they were, the others are those of the definition. */
    private static void assertBits(int from, int n, String what, Entry definition, Change change) {
        double[] start = numbers(n, 7);
        for (Provider provider : PROVIDERS) {
            double[] actual = start.clone();
            change.apply(provider, actual);
            for (int i = 0; i < n; i++) {
                double expected = i < from ? start[i] : definition.of(i, start[i]);
                if (Double.doubleToRawLongBits(actual[i]) != Double.doubleToRawLongBits(expected)) {
                    assertThat(actual[i])
                            .as(provider.name() + " " + what + ", size " + n + ", entry " + i)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** The sum of eight partial sums that {@link Provider#dot} promises. */
    private static double dot(double[] x, double[] y, int from, int to) {
        double[] s = new double[8];
        int whole = from + (to - from) / 8 * 8;
        for (int i = from; i < whole; i++) {
            s[(i - from) % 8] = Math.fma(x[i], y[i], s[(i - from) % 8]);
        }
        double sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        for (int i = whole; i < to; i++) {
            sum = Math.fma(x[i], y[i], sum);
        }
        return sum;
    }

    @Test
    void anotherProviderTakesOverAfterEnoughWork() {
        List<String> made = new ArrayList<>();
        PlainFirst provider = new PlainFirst(
                () -> {
                    made.add("made");
                    return null;
                },
                1000);
        for (int i = 0; i < 10; i++) {
            provider.dot(new double[100], new double[100], 0, 100);
        }
        assertThat(made).isEmpty();
        provider.expOfMultiple(-1, new double[8], 1);
        provider.dot(new double[100], new double[100], 0, 100);
        // Once, also when there is none: plain Java goes on then.
        assertThat(made).containsExactly("made");
    }

    @Test
    void vectorsOfEverySize() {
        double[] a = {0.3, -0.7, 1.1, 1e-3};
        for (int n : sizes()) {
            double[] x = numbers(n, 1);
            double[] y = numbers(n, 2);
            double[][] five = columns(n, 5, 3);
            int from = n / 3;
            for (Provider provider : PROVIDERS) {
                assertThat(Double.doubleToRawLongBits(provider.dot(x, y, from, n)))
                        .as(provider.name() + " dot, size " + n)
                        .isEqualTo(Double.doubleToRawLongBits(dot(x, y, from, n)));
            }
            assertBits(from, n, "axpy", (i, t) -> Math.fma(0.3, x[i], t), (p, t) -> Vectors.axpy(0.3, x, t, from, n));
            assertBits(
                    from,
                    n,
                    "axpy4",
                    (i, t) -> {
                        double sum = t;
                        for (int j = 0; j < 4; j++) {
                            sum = Math.fma(a[j], five[1 + j][i], sum);
                        }
                        return sum;
                    },
                    (p, t) -> Vectors.axpy4(a[0], a[1], a[2], a[3], five, 1, t, from, n));
            assertBits(
                    0,
                    n,
                    "scaleAdd",
                    (i, t) -> Math.fma(0.3, x[i], 0.999 * t),
                    (p, t) -> Vectors.scaleAdd(0.999, t, 0.3, x, n));
            assertBits(0, n, "scale", (i, t) -> -0.3 * t, (p, t) -> Vectors.scale(-0.3, t, n));
            assertBits(
                    0,
                    n,
                    "distances",
                    (i, t) -> Math.fma((x[i] - 0.1) * 1.7, (x[i] - 0.1) * 1.7, t),
                    (p, t) -> Vectors.addSquaredDifferences(x, 0.1, 1.7, t, n));
            assertBits(0, n, "exp", (i, t) -> Exp.exp(-0.9 * t), (p, t) -> p.expOfMultiple(-0.9, t, n));
            assertBits(
                    0,
                    n,
                    "sum of exp",
                    (i, t) -> Math.fma(0.7, Exp.exp(-0.9 * x[i]), t),
                    (p, t) -> p.addExpOfMultiple(0.7, -0.9, x, t, n));
        }
    }

    @Test
    void pairsOfPointsAreTheChainOfTheirDefinition() {
        for (int n : new int[] {1, 3, 7, 8, 9, 16, 17, 33, 200}) {
            for (int count : new int[] {1, 2, 3, 4, 5, 8, 33}) {
                for (int depth : new int[] {0, 1, 2, 7, 343}) {
                    pairs(n, count, depth, null);
                    pairs(n, count, depth, numbers(depth, 4));
                }
            }
        }
    }

    private static void pairs(int n, int count, int depth, double[] scales) {
        // Coordinates before and behind those that are asked for must not be looked at.
        double[][] p = columns(n, depth + 3, 1);
        double[][] x = columns(depth + 3, count, 2);
        double[][] distances = new double[count][n];
        for (int j = 0; j < count; j++) {
            for (int i = 0; i < n; i++) {
                for (int c = 2; c < depth + 2; c++) {
                    double scale = scales == null ? 1 : scales[c - 2];
                    double difference = (p[c][i] - x[j][c]) * scale;
                    distances[j][i] = Math.fma(difference, difference, distances[j][i]);
                }
            }
        }
        for (Provider provider : PROVIDERS) {
            String what = provider.name() + " " + n + " by " + count + ", depth " + depth;
            double[][] actual = columns(n, count, 3);
            provider.squaredDistances(p, x, count, scales, 2, depth + 2, actual, n);
            assertThat(bits(actual)).as("distances, " + what).isEqualTo(bits(distances));
        }
    }

    @Test
    void exponentialsOfEveryKind() {
        double[] arguments = {
            0.0,
            -0.0,
            1e-300,
            -1e-17,
            0.5,
            -0.5,
            700,
            708.9,
            709.1,
            709.78,
            710,
            1e300,
            -1e-300,
            -700,
            -707.9,
            -708.1,
            -708.5,
            -744,
            -745.1,
            -745.2,
            -746,
            -1e300,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Math.log(2) / 2,
            -Math.log(2) / 2
        };
        for (int shift = 0; shift < arguments.length; shift++) {
            double[] x = new double[arguments.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = arguments[(i + shift) % x.length];
            }
            double[] expected = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                expected[i] = Exp.exp(x[i]);
            }
            for (Provider provider : PROVIDERS) {
                double[] sum = new double[x.length];
                provider.addExpOfMultiple(1.0, 1.0, x, sum, x.length);
                assertThat(sum).as(provider.name()).containsExactly(expected);
                double[] one = x.clone();
                provider.expOfMultiple(1.0, one, one.length);
                assertThat(one).as(provider.name()).containsExactly(expected);
            }
        }
    }

    private static final int[] ROWS = {1, 2, 7, 8, 9, 15, 16, 17, 64, 65, 150, 517};
    private static final int[] COLUMNS = {1, 2, 5, 6, 7, 48, 49, 64, 101};
    private static final int[] DEPTHS = {0, 1, 2, 63, 64, 255, 256, 257, 515};

    @Test
    void productsAreTheChainOfTheirDefinition() {
        for (int rows : ROWS) {
            for (int columns : COLUMNS) {
                for (int depth : DEPTHS) {
                    if ((long) rows * columns * depth < 3_000_000) {
                        product(rows, columns, depth, false, 0);
                        product(rows, columns, depth, true, 1);
                        product(rows, columns, depth, rows % 2 == 0, 0.999);
                    }
                }
            }
        }
        product(64, 1501, 1501, true, 0);
        product(4098, 7, 64, false, 0.5);
    }

    private static void product(int rows, int columns, int depth, boolean transposed, double gamma) {
        double[][] x = columns(rows, depth, 1);
        double[][] w = transposed ? columns(columns, depth, 2) : columns(depth, columns, 2);
        Factor left = new Factor(Matrix.ofColumns(x, rows), false);
        Factor right = new Factor(Matrix.ofColumns(w, transposed ? columns : depth), transposed);
        double[][] start = columns(rows, columns, 3);
        double[][] expected = chain(gamma, start, left, right, depth);
        for (Provider provider : PROVIDERS) {
            for (int threads : new int[] {1, 3}) {
                double[][] c = copy(start);
                // The same cut that several threads make.
                int middle = threads == 1 ? columns : columns / 3 / 6 * 6;
                provider.product(
                        gamma,
                        new Region(Matrix.ofColumns(c, rows), 0, rows, 0, middle, false),
                        left,
                        right,
                        depth,
                        new Workspace());
                provider.product(
                        gamma,
                        new Region(Matrix.ofColumns(c, rows), 0, rows, middle, columns, false),
                        left,
                        right,
                        depth,
                        new Workspace());
                assertThat(bits(c))
                        .as(provider.name() + " " + rows + "x" + columns + " depth " + depth + " gamma " + gamma)
                        .isEqualTo(bits(expected));
            }
        }
    }

    private static double[][] chain(double gamma, double[][] start, Factor x, Factor w, int depth) {
        double[][] c = copy(start);
        for (int j = 0; j < c.length; j++) {
            for (int i = 0; i < c[j].length; i++) {
                double sum = gamma == 0 ? 0 : gamma * c[j][i];
                for (int k = 0; k < depth; k++) {
                    sum = Math.fma(x.get(i, k), w.get(k, j), sum);
                }
                c[j][i] = sum;
            }
        }
        return c;
    }

    private static double[][] copy(double[][] columns) {
        double[][] copy = columns.clone();
        for (int j = 0; j < copy.length; j++) {
            copy[j] = columns[j].clone();
        }
        return copy;
    }

    private static long bits(double[][] columns) {
        long hash = 17;
        for (double[] column : columns) {
            for (double value : column) {
                hash = 31 * hash + Double.doubleToRawLongBits(value);
            }
        }
        return hash;
    }

    @Test
    void solvesAreTheChainOfTheirDefinition() {
        for (int rows : ROWS) {
            for (int n : new int[] {0, 1, 2, 5, 6, 7, 13, 48, 49, 150, 239, 240, 241, 485}) {
                double[][] lower = columns(n, n, 5);
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i < n; i++) {
                        lower[j][i] = i == j ? 1.5 + j % 3 : 1e-7 * lower[j][i];
                    }
                }
                PackedFactor packed = new PackedFactor();
                packed.follow(Matrix.ofColumns(lower, n), 0);
                double[][] start = columns(rows, n, 6);
                double[][] expected = copy(start);
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < n; j++) {
                        double sum = expected[j][i];
                        for (int k = 0; k < j; k++) {
                            sum = Math.fma(expected[k][i], -lower[k][j], sum);
                        }
                        expected[j][i] = sum * (1 / lower[j][j]);
                    }
                }
                for (Provider provider : PROVIDERS) {
                    double[][] x = copy(start);
                    int middle = rows / 2 / 16 * 16;
                    provider.solve(Matrix.ofColumns(x, rows), 0, middle, packed, new Workspace());
                    provider.solve(Matrix.ofColumns(x, rows), middle, rows, packed, new Workspace());
                    assertThat(bits(x))
                            .as(provider.name() + " " + rows + "x" + n)
                            .isEqualTo(bits(expected));
                }
            }
        }
    }

    @Test
    void aPackedFactorFollowsTheOneItIsOf() {
        for (int n : new int[] {1, 5, 6, 7, 13, 150}) {
            Matrix lower = Matrix.ofColumns(columns(n, n, 5), n);
            PackedFactor grown = new PackedFactor();
            Matrix growing = new Matrix(0, 0);
            for (int m = 1; m <= n; m += 1 + m % 3) {
                growing.resize(m, m);
                for (int j = 0; j < m; j++) {
                    for (int i = j; i < m; i++) {
                        growing.set(i, j, lower.get(i, j));
                    }
                }
                grown.follow(growing, 3);
                assertPacked(growing, grown);
            }
            // Rows that were there have changed, and there are fewer.
            growing.truncate(n / 2, n / 2);
            growing.scale(2);
            grown.follow(growing, 4);
            assertPacked(growing, grown);
            PackedFactor fresh = new PackedFactor();
            fresh.follow(growing, 0);
            assertPacked(growing, fresh);
        }
    }

    private static void assertPacked(Matrix lower, PackedFactor packed) {
        assertThat(packed.size()).isEqualTo(lower.rows());
        for (int j = 0; j < lower.rows(); j++) {
            for (int k = 0; k <= j; k++) {
                assertThat(packed.rows()[j][k]).isEqualTo(k < j ? -lower.get(j, k) : 1 / lower.get(j, j));
            }
        }
    }

    @Test
    void rotationsAreTheChainOfTheirDefinition() {
        int rows = Provider.PANEL_ROWS;
        for (int count : new int[] {0, 1, 2, 3, 50}) {
            for (int step : new int[] {1, -1}) {
                int column = step > 0 ? 1 : count + 1;
                double[] start = numbers((count + 3) * rows, 8);
                double[] cosines = numbers(count + 2, 9);
                double[] sines = numbers(count + 2, 10);
                double[] expected = start.clone();
                for (int k = 0; k < count; k++) {
                    double c = cosines[k + 2];
                    double s = sines[k + 2];
                    for (int i = 0; i < rows; i++) {
                        int at = (column + k * step) * rows + i;
                        double x = expected[at];
                        double y = expected[at + step * rows];
                        expected[at] = Math.fma(s, y, c * x);
                        expected[at + step * rows] = Math.fma(-s, x, c * y);
                    }
                }
                for (Provider provider : PROVIDERS) {
                    double[] panel = start.clone();
                    provider.rotate(panel, column, step, cosines, sines, 2, count);
                    assertThat(bits(new double[][] {panel}))
                            .as(provider.name() + " " + count + " by " + step)
                            .isEqualTo(bits(new double[][] {expected}));
                }
            }
        }
    }

    @Test
    void gramsAreTheChainOfTheirDefinition() {
        for (int rows : ROWS) {
            for (int columns : COLUMNS) {
                for (int depth : DEPTHS) {
                    if ((long) rows * columns * depth < 2_000_000) {
                        gram(rows, columns, depth, 0);
                        gram(rows, columns, depth, 1);
                        gram(rows, columns, depth, 0.999);
                    }
                }
            }
        }
        gram(1501, 13, 64, 0.5);
        gram(17, 1501, 64, 0.5);
    }

    private static void gram(int rows, int columns, int depth, double gamma) {
        double[][] a = columns(depth, rows, 1);
        double[][] b = columns(depth, columns, 2);
        double[][] start = columns(rows, columns, 3);
        Factor left = new Factor(Matrix.ofColumns(a, depth), true);
        Factor right = new Factor(Matrix.ofColumns(b, depth), false);
        double[][] expected = chain(gamma, start, left, right, depth);
        for (Provider provider : PROVIDERS) {
            for (boolean lower : new boolean[] {false, true}) {
                double[][] c = copy(start);
                // The same cut that several threads make.
                int middle = rows / 2 / 16 * 16;
                Workspace workspace = new Workspace();
                Region upper = new Region(Matrix.ofColumns(c, rows), 0, middle, 0, columns, lower);
                provider.product(gamma, upper, left, right, depth, workspace);
                Region rest = new Region(Matrix.ofColumns(c, rows), middle, rows, 0, columns, lower);
                provider.product(gamma, rest, left, right, depth, workspace);
                assertThat(lower ? bits(lower(c)) : bits(c))
                        .as(provider.name() + " " + rows + "x" + columns + " depth " + depth + " gamma " + gamma
                                + " lower " + lower)
                        .isEqualTo(lower ? bits(lower(expected)) : bits(expected));
            }
        }
    }

    /** Zeros above the diagonal. */
    private static double[][] lower(double[][] columns) {
        double[][] result = copy(columns);
        for (int j = 0; j < result.length; j++) {
            java.util.Arrays.fill(result[j], 0, Math.min(j, result[j].length), 0.0);
        }
        return result;
    }

    @Test
    void gramOfAMatrixWithItselfMirrorsToTheWhole() {
        for (Provider provider : PROVIDERS) {
            Products products = new Products(provider, 2);
            Matrix x = Matrix.ofColumns(columns(64, 331, 1), 64);
            Matrix whole = Matrix.ofColumns(columns(331, 331, 2), 331);
            whole.mirrorLower();
            Matrix half = whole.copy();
            products.gram(0.9, whole, x, x);
            products.gramLower(0.9, half, x, x);
            half.mirrorLower();
            assertThat(bits(half.storage())).as(provider.name()).isEqualTo(bits(whole.storage()));
        }
    }

    @Test
    void threadsAndProvidersDoNotChangeBits() {
        Matrix x = Matrix.ofColumns(columns(64, 331, 1), 64);
        Matrix w = Matrix.ofColumns(columns(331, 331, 2), 331);
        Matrix lower = Matrix.ofColumns(columns(331, 331, 3), 331);
        for (int j = 0; j < 331; j++) {
            Vectors.scale(1e-7, lower.column(j), 331);
            lower.set(j, j, 2.0);
        }
        PackedFactor packed = new PackedFactor();
        packed.follow(lower, 0);
        List<Long> seen = new ArrayList<>();
        for (Provider provider : PROVIDERS) {
            for (int threads = 1; threads <= 4; threads++) {
                Products products = new Products(provider, threads);
                Matrix c = new Matrix(64, 331);
                products.multiplyTransposed(0, c, x, w);
                Matrix solved = x.copy();
                products.solveTransposed(solved, lower);
                Matrix gram = new Matrix(331, 331);
                products.gram(0, gram, x, x);
                Matrix half = new Matrix(331, 331);
                products.gramLower(0, half, x, x);
                Matrix another = new Matrix(331, 331);
                Matrix third = new Matrix(331, 331);
                products.submitAsync(() -> {
                            products.gram(0, another, x, x);
                            products.gramLower(0, third, x, x);
                        })
                        .await();
                assertThat(bits(another.storage())).isEqualTo(bits(gram.storage()));
                assertThat(bits(lower(third.storage()))).isEqualTo(bits(lower(half.storage())));
                // Rows that are made where they are solved for.
                Matrix made = new Matrix(64, 331);
                products.solveTransposed(made, packed, (from, to) -> {
                    for (int j = 0; j < 331; j++) {
                        System.arraycopy(x.column(j), from, made.column(j), from, to - from);
                    }
                });
                assertThat(bits(made.storage())).isEqualTo(bits(solved.storage()));
                long bits = 31 * bits(c.storage()) + bits(solved.storage());
                bits = 31 * bits + bits(gram.storage());
                seen.add(31 * bits + bits(lower(half.storage())));
            }
        }
        assertThat(seen).containsOnly(seen.get(0));
    }
}
