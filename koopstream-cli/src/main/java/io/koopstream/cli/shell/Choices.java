package io.koopstream.cli.shell;

import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Environments;
import io.koopstream.server.feed.SimulatorFeed;
import io.koopstream.systems.BenchmarkSystems;
import java.util.Iterator;

/** Words that a shell completes where a name from a list is expected. */
public final class Choices {

    private Choices() {}

    /** Benchmark systems, without and with their version. */
    public static final class Systems implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return BenchmarkSystems.all().stream()
                    .map(system -> system.id().replaceFirst("-v\\d+$", ""))
                    .distinct()
                    .sorted()
                    .iterator();
        }
    }

    /** Systems that {@code koop serve --demo} simulates. */
    public static final class Demos implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SimulatorFeed.systems().iterator();
        }
    }

    /** Environments of control. */
    public static final class ControlEnvironments implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Environments.all().stream().map(Environment::id).iterator();
        }
    }
}
