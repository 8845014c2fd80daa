package io.koopstream.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Memory and processor time that the calling thread has taken since it began. */
public final class ThreadUse {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ThreadUse() {}

    /** Bytes allocated, also those that were freed. */
    public static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Processor time, in nanoseconds. */
    public static long nanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
