package io.koopstream.server.feed;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The thread of a source. It can be asked to stop and waits until it has. */
final class FeedThread {

    private static final Logger LOG = System.getLogger(FeedThread.class.getName());
    private static final long PATIENCE_MILLIS = 2_000;

    /** What it does until it is interrupted. */
    interface Work {
        void run() throws Exception;
    }

    private final Thread thread;

    FeedThread(String name, Work work) {
        thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        // Asked to stop.
                    } catch (Exception e) {
                        if (!Thread.currentThread().isInterrupted()) {
                            LOG.log(Level.ERROR, name + " stopped: " + e.getMessage(), e);
                        }
                    }
                },
                "koopstream-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        thread.interrupt();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
