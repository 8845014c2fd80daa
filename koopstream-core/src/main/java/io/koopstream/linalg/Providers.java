package io.koopstream.linalg;

import io.koopstream.InvalidConfigException;

/**
 * Which {@link Provider} is used: the Vector API where the module {@code jdk.incubator.vector} is there and the machine's vectors suit,
 * plain Java otherwise; {@code -Dkoopstream.linalg=plain} or {@code =vector} forces one. Decided once, with one line in the log. Both give the
 * same bits, so the choice is a matter of speed alone.
 */
public final class Providers {

    /** The system property that forces a provider. */
    public static final String PROPERTY = "koopstream.linalg";

    private static final System.Logger LOG = System.getLogger(Providers.class.getName());

    static final Provider ACTIVE = choose(System.getProperty(PROPERTY));

    private Providers() {}

    /** The name of the provider in use: {@code vector} or {@code plain}. */
    public static String activeName() {
        return ACTIVE.name();
    }

    static Provider choose(String forced) {
        if ("plain".equals(forced)) {
            return chosen(new PlainProvider(), "forced by -D" + PROPERTY + "=plain");
        }
        if (forced != null && !"vector".equals(forced)) {
            throw new InvalidConfigException(
                    PROPERTY, forced, "must be plain or vector; leave it out to let the machine decide");
        }
        try {
            Provider vector = Class.forName("io.koopstream.linalg.VectorProvider")
                    .asSubclass(Provider.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return chosen(
                    vector,
                    forced == null ? "module jdk.incubator.vector is there" : "forced by -D" + PROPERTY + "=vector");
        } catch (ReflectiveOperationException | LinkageError | UnsupportedOperationException e) {
            String reason = reason(e);
            if (forced != null) {
                throw new InvalidConfigException(PROPERTY, forced, "cannot be met: " + reason);
            }
            return chosen(new PlainProvider(), reason);
        }
    }

    private static String reason(Throwable problem) {
        Throwable cause = problem instanceof java.lang.reflect.InvocationTargetException ? problem.getCause() : problem;
        return cause instanceof LinkageError || cause instanceof ClassNotFoundException
                ? "module jdk.incubator.vector is missing; start Java with --add-modules jdk.incubator.vector for more speed"
                : cause.getMessage();
    }

    private static Provider chosen(Provider provider, String why) {
        LOG.log(System.Logger.Level.INFO, "linear algebra: {0} ({1})", provider.name(), why);
        return provider;
    }
}
