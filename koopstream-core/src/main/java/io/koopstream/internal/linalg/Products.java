package io.koopstream.internal.linalg;

import io.koopstream.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Products with and solves for whole matrices, the arithmetic of a block of samples. Holds the memory of its packed panels, so a caller in a
 * loop keeps one. Not thread-safe.
 *
 * <p>More than one thread shares out columns (products) or rows (solves) of the result; no sum is ever split, so the bits depend neither on
 * the number of threads nor on the {@link Providers provider}.
 */
public final class Products {

    /** The system property with the largest number of threads that one call may use; all processors unless given. */
    public static final String THREADS_PROPERTY = "koopstream.threads";

    private static final int MAX_THREADS = 64;

    /** Multiply-adds below which a part is not worth a thread of its own: about 35 µs, some times what it takes to wake one up. */
    private static final long MIN_WORK = 800_000;

    /** Parts per thread of {@link #submitAsync}: whoever is free first takes the next. */
    private static final int LATER_PARTS = 4;

    /** Work of one kernel evaluation in {@link #share}, in multiply-adds. */
    private static final int KERNEL_WORK = 80;

    private final Provider provider;
    private final int threads;
    private final List<Workspace> workspaces = new ArrayList<>();
    /** Calls gathered within {@link #submitAsync}; null outside of it. */
    private List<Shared> gathering;

    /** Products in at most as many threads as {@value #THREADS_PROPERTY} says. */
    public Products() {
        this(Providers.ACTIVE, threads(System.getProperty(THREADS_PROPERTY)));
    }

    Products(Provider provider, int threads) {
        this.provider = provider;
        this.threads = threads;
    }

    static int threads(String text) {
        if (text == null) {
            return Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        }
        try {
            int threads = Integer.parseInt(text);
            if (threads >= 1 && threads <= MAX_THREADS) {
                return threads;
            }
        } catch (NumberFormatException e) {
            // Said below, together with what is out of range.
        }
        throw new InvalidConfigException(THREADS_PROPERTY, text, "must be a whole number from 1 to " + MAX_THREADS);
    }

    /** C ← γ C + X W; for γ = 0 what C held does not matter. */
    public void multiply(double gamma, Matrix c, Matrix x, Matrix w) {
        product(gamma, c, x, false, w, false, false);
    }

    /** C ← γ C + X Wᵀ; for γ = 0 what C held does not matter. */
    public void multiplyTransposed(double gamma, Matrix c, Matrix x, Matrix w) {
        product(gamma, c, x, false, w, true, false);
    }

    /** C ← γ C + Aᵀ B, without a transposed copy of A; for γ = 0 what C held does not matter. */
    public void gram(double gamma, Matrix c, Matrix a, Matrix b) {
        product(gamma, c, a, true, b, false, false);
    }

    /**
     * The lower triangle of C ← γ C + Aᵀ B for a square C, at about half the cost: entries (i, j) with i >= j have the bits of {@link #gram}, those
     * above the diagonal are left open and never read for the others, so {@link Matrix#mirrorLower} makes the whole of it.
     */
    public void gramLower(double gamma, Matrix c, Matrix a, Matrix b) {
        Matrix.requireSame("rows and columns", c.rows(), c.columns());
        product(gamma, c, a, true, b, false, true);
    }

    /** Shares out columns of C, or its rows where the left factor is transposed: then these are many. */
    private void product(
            double gamma, Matrix c, Matrix x, boolean xTransposed, Matrix w, boolean wTransposed, boolean lower) {
        int rows = c.rows();
        int columns = c.columns();
        int depth = xTransposed ? x.rows() : x.columns();
        Matrix.requireSame("inner size", depth, wTransposed ? w.columns() : w.rows());
        Matrix.requireSame("rows", rows, xTransposed ? x.columns() : x.rows());
        Matrix.requireSame("columns", columns, wTransposed ? w.rows() : w.columns());
        Factor left = new Factor(x, xTransposed);
        Factor right = new Factor(w, wTransposed);
        long work = (long) rows * columns / (lower ? 2 : 1) * depth;
        if (xTransposed) {
            share(rows, 16, work, lower, (from, to, workspace) -> {
                Region region = new Region(c, from, to, 0, columns, lower);
                provider.product(gamma, region, left, right, depth, workspace);
            });
        } else {
            share(columns, 8 * PackedFactor.WIDTH, work, false, (from, to, workspace) -> {
                Region region = new Region(c, 0, rows, from, to, false);
                provider.product(gamma, region, left, right, depth, workspace);
            });
        }
    }

    /** X ← X L⁻ᵀ with L the lower triangle: each row of X becomes the solution z of L z = row. */
    public void solveTransposed(Matrix x, Matrix lower) {
        PackedFactor packed = new PackedFactor();
        packed.follow(lower, 0);
        solveTransposed(x, packed, 0, (from, to) -> {});
    }

    /**
     * Solves for rows that are made first, by the thread that solves for them: one hand-over instead of two.
     *
     * @param rows sets the rows [from, to) of X to kernel values, and gets the same bits whatever the parts are
     */
    public void solveTransposed(Matrix x, PackedFactor lower, Range rows) {
        solveTransposed(x, lower, KERNEL_WORK, rows);
    }

    private void solveTransposed(Matrix x, PackedFactor lower, int workOfEntry, Range rows) {
        Matrix.requireSame("columns", x.columns(), lower.size());
        int n = lower.size();
        share(x.rows(), 16, (long) x.rows() * n * (n / 2 + workOfEntry), false, (from, to, workspace) -> {
            rows.compute(from, to);
            provider.solve(x, from, to, lower, workspace);
        });
    }

    /**
     * Makes products that do not depend on each other, with one hand-over to each thread for all of them. Where another thread is free the caller continues at once:
     * until {@link Submitted#await} has returned, the matrices and this object must not be used.
     *
     * @param calls calls methods of this object; nothing is computed before it returns
     */
    public Submitted submitAsync(Runnable calls) {
        List<Shared> all = gather(calls);
        int parts = threads == 1 ? 1 : parts(all, LATER_PARTS * threads);
        if (parts == 1) {
            run(all);
            return Submitted.DONE;
        }
        return new Submitted(submit(all, 0, parts));
    }

    private List<Shared> gather(Runnable calls) {
        List<Shared> gathered = new ArrayList<>();
        gathering = gathered;
        try {
            calls.run();
        } finally {
            gathering = null;
        }
        return gathered;
    }

    /** Products that may still be under way. One caller. */
    public static final class Submitted {

        /** A task that has ended. */
        public static final Submitted DONE = new Submitted(List.of());

        private final List<ForkJoinTask<?>> parts;

        private Submitted(List<ForkJoinTask<?>> parts) {
            this.parts = parts;
        }

        /** Returns when all is computed, and helps with parts that no thread has begun. */
        public void await() {
            // The newest first, since the other threads begin with the oldest. Even if one failed, no other may write
            // on after the call.
            for (int p = parts.size() - 1; p >= 0; p--) {
                parts.get(p).quietlyJoin();
            }
            for (int p = 0; p < parts.size(); p++) {
                parts.get(p).join();
            }
        }
    }

    /** One part of an evaluation of kernels. */
    public interface Range {
        /** Computes what belongs to [from, to); called from another thread for every part but the first, which starts at 0. */
        void compute(int from, int to);
    }

    /**
     * Shares out {@code count} rows of {@code length} kernel values each, in one part if they are few.
     *
     * @param range writes only what belongs to its own rows, and gets the same bits whatever the parts are
     */
    public void shareKernelRows(int count, int length, Range range) {
        share(count, 1, (long) count * length * KERNEL_WORK, false, (from, to, workspace) -> range.compute(from, to));
    }

    private interface Part {
        void compute(int from, int to, Workspace workspace);
    }

    /**
     * Work on [0, count) that can be cut at multiples of {@code grain}.
     *
     * @param work multiply-adds in all
     * @param triangle whether the work up to i grows as i², not as i
     */
    private record Shared(int count, int grain, long work, boolean triangle, Part part) {

        private int grains() {
            return (count + grain - 1) / grain;
        }

        void compute(int p, int parts, Workspace workspace) {
            int from = Math.min(count, cut(grains(), p, parts, triangle) * grain);
            int to = Math.min(count, cut(grains(), p + 1, parts, triangle) * grain);
            if (from < to || p == 0) {
                part.compute(from, to, workspace);
            }
        }
    }

    private void share(int count, int grain, long work, boolean triangle, Part part) {
        Shared shared = new Shared(count, grain, work, triangle, part);
        if (gathering != null) {
            gathering.add(shared);
        } else {
            run(List.of(shared));
        }
    }

    /** Cuts each into at most one part a thread; a thread computes its part of all of them. */
    private void run(List<Shared> all) {
        int parts = parts(all, threads);
        Submitted others = new Submitted(submit(all, 1, parts));
        try {
            compute(all, 0, parts, workspace(0));
        } finally {
            others.await();
        }
    }

    private static int parts(List<Shared> all, int most) {
        long work = 0;
        int grains = 1;
        for (Shared shared : all) {
            work += shared.work();
            grains = Math.max(grains, shared.grains());
        }
        return (int) Math.max(1, Math.min(Math.min(most, grains), work / MIN_WORK));
    }

    private List<ForkJoinTask<?>> submit(List<Shared> all, int first, int parts) {
        List<ForkJoinTask<?>> tasks = new ArrayList<>(parts - first);
        for (int p = first; p < parts; p++) {
            int part = p;
            Workspace workspace = workspace(p);
            tasks.add(ForkJoinPool.commonPool().submit(() -> compute(all, part, parts, workspace)));
        }
        return tasks;
    }

    private static void compute(List<Shared> all, int part, int parts, Workspace workspace) {
        for (Shared shared : all) {
            shared.compute(part, parts, workspace);
        }
    }

    private Workspace workspace(int part) {
        while (workspaces.size() <= part) {
            workspaces.add(new Workspace());
        }
        return workspaces.get(part);
    }

    private static int cut(int grains, int p, int parts, boolean triangle) {
        return triangle ? (int) Math.rint(grains * Math.sqrt((double) p / parts)) : (int) ((long) grains * p / parts);
    }
}
