package io.koopstream.server.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The newest view of a model, and those who wait for a newer one. Any thread. */
final class ViewBoard {

    private final List<Waiter> waiters = new ArrayList<>();
    private volatile ModelView newest;

    private record Waiter(long samples, CompletableFuture<ModelView> view) {}

    ViewBoard(ModelView first) {
        this.newest = first;
    }

    /** The newest view; never waits. */
    ModelView newest() {
        return newest;
    }

    /** Puts up a view, and tells those who waited for it. */
    synchronized void publish(ModelView next) {
        newest = next;
        waiters.removeIf(waiter -> {
            boolean reached = waiter.samples <= next.received();
            if (reached) {
                waiter.view.complete(next);
            }
            return reached;
        });
    }

    /** Whether somebody waits for a view with so many items or fewer. */
    synchronized boolean isAwaited(long received) {
        return waiters.stream().anyMatch(waiter -> waiter.samples <= received);
    }

    /**
     * The first view with at least so many items.
     *
     * @param hopeless whether there will never be one
     * @param reason what those who wait in vain are told
     */
    synchronized CompletableFuture<ModelView> after(
            long samples, BooleanSupplier hopeless, Supplier<ModelFailedException> reason) {
        CompletableFuture<ModelView> result = new CompletableFuture<>();
        if (newest.received() >= samples) {
            result.complete(newest);
        } else if (hopeless.getAsBoolean()) {
            result.completeExceptionally(reason.get());
        } else {
            waiters.add(new Waiter(samples, result));
        }
        return result;
    }

    /** Tells those who wait for more items than there will be. */
    synchronized void release(long coming, Supplier<ModelFailedException> reason) {
        waiters.removeIf(waiter -> {
            boolean hopeless = waiter.samples > coming;
            if (hopeless) {
                waiter.view.completeExceptionally(reason.get());
            }
            return hopeless;
        });
    }
}
