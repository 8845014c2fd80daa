package io.koopstream.internal.linalg;

import java.util.function.Supplier;

/**
 * Plain Java until enough was computed for compiling the loops of the Vector API to pay, that provider from then on. Before they are compiled each of
 * their operations is a call, which takes a short command longer than all it computes (docs/decisions/0041). Both give the same bits, so it does not
 * matter when one takes over, nor that threads count without waiting for each other.
 */
final class PlainFirst implements Provider {

    /** Multiply-adds, or what takes as long: about half a second of plain Java. */
    static final long ENOUGH = 3_000_000_000L;

    /** Work of one exponential, in multiply-adds. */
    private static final int EXP_WORK = 20;

    private final Provider plain = new PlainProvider();
    private final Supplier<Provider> maker;
    private long left;
    /** Null while plain Java computes. */
    private Provider next;

    /** @param maker makes the provider for later, once; null when it cannot */
    PlainFirst(Supplier<Provider> maker, long enough) {
        this.maker = maker;
        this.left = enough;
    }

    private Provider now(long work) {
        Provider chosen = next;
        if (chosen != null) {
            return chosen;
        }
        left -= work;
        if (left < 0) {
            takeOver();
        }
        return plain;
    }

    private synchronized void takeOver() {
        if (next == null) {
            Provider made = maker.get();
            next = made == null ? plain : made;
        }
    }

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public double dot(double[] x, double[] y, int from, int to) {
        return now(to - from).dot(x, y, from, to);
    }

    @Override
    public void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        now((long) count * (to - from) * n).squaredDistances(p, x, count, scales, from, to, out, n);
    }

    @Override
    public void expOfMultiple(double a, double[] x, int n) {
        now((long) EXP_WORK * n).expOfMultiple(a, x, n);
    }

    @Override
    public void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n) {
        now((long) EXP_WORK * n).addExpOfMultiple(w, a, x, sum, n);
    }

    @Override
    public void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace) {
        long rows = (long) region.toRow() - region.fromRow();
        now(rows * (region.toColumn() - region.fromColumn()) * depth).product(gamma, region, x, w, depth, workspace);
    }

    @Override
    public void solve(Matrix x, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        now((long) (toRow - fromRow) * lower.size() * lower.size() / 2).solve(x, fromRow, toRow, lower, workspace);
    }

    @Override
    public void rotate(double[] panel, int column, int step, double[] cosines, double[] sines, int from, int count) {
        now(2L * PANEL_ROWS * count).rotate(panel, column, step, cosines, sines, from, count);
    }
}
