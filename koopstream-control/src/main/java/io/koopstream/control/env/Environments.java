package io.koopstream.control.env;

import io.koopstream.InvalidConfigException;
import java.util.List;

/** The registry of environments. Every version ever published stays here. */
public final class Environments {

    private Environments() {}

    /** One new instance of each, in the order in which a list should show them. */
    public static List<Environment> all() {
        return List.of(new Pendulum(), Pendulum.noisy(), new CartPoleSwingUp(), new MountainCarContinuous());
    }

    /**
     * A new instance of the environment with this id, version included.
     *
     * @throws InvalidConfigException if there is none; the message lists those that exist
     */
    public static Environment of(String id) {
        List<Environment> known = all();
        for (Environment environment : known) {
            if (environment.id().equals(id)) {
                return environment;
            }
        }
        String ids = String.join(", ", known.stream().map(Environment::id).toList());
        boolean versioned = id != null && id.matches(".*-v[0-9]+");
        throw new InvalidConfigException(
                "environment", id, (versioned ? "unknown" : "needs a version") + "; must be one of " + ids);
    }
}
