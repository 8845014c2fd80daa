package io.koopstream.internal.linalg;

import io.koopstream.InvalidConfigException;

/**
 * The {@link Provider} in use: the Vector API where the module {@code jdk.incubator.vector} is there and the machine's vectors suit, after
 * {@linkplain PlainFirst enough work} to pay for compiling it; plain Java otherwise; {@code -Dkoopstream.linalg=plain} or {@code =vector} forces one. Decided once, with one line in the log for who debugs. Both give the
 * same bits, so the choice is a matter of speed alone.
 */
public final class Providers {

    /** The system property that forces a provider. */
    public static final String PROPERTY = "koopstream.linalg";

    /** The system property with the multiply-adds after which the Vector API takes over; 0 when much is to be computed anyway. */
    public static final String PLAIN_WORK_PROPERTY = "koopstream.linalg.plainWork";

    private static final String MODULE = "jdk.incubator.vector";
    private static final String MISSING =
            "module " + MODULE + " is missing; start Java with --add-modules " + MODULE + " for more speed";

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
        if (forced == null && ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            return chosen(new PlainProvider(), MISSING);
        }
        if (forced == null) {
            long enough = Long.getLong(PLAIN_WORK_PROPERTY, PlainFirst.ENOUGH);
            return chosen(
                    new PlainFirst(Providers::vectorOrNull, enough),
                    "module " + MODULE + " is there; plain Java until compiling for it pays");
        }
        InvalidConfigException.require(
                "vector".equals(forced),
                PROPERTY,
                forced,
                "must be plain or vector; leave it out to let the machine decide");
        try {
            return chosen(vector(), "forced by -D" + PROPERTY + "=vector");
        } catch (ReflectiveOperationException | LinkageError | UnsupportedOperationException e) {
            throw new InvalidConfigException(PROPERTY, forced, "cannot be met: " + reason(e));
        }
    }

    private static Provider vector() throws ReflectiveOperationException {
        // Not required by the module descriptor: javac warns of every incubating module, and most users run without it.
        ModuleLayer.boot().findModule(MODULE).ifPresent(Providers.class.getModule()::addReads);
        return Class.forName("io.koopstream.internal.linalg.VectorProvider")
                .asSubclass(Provider.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    /** The provider on the Vector API; null, with a line in the log, where it does not suit the machine. */
    static Provider vectorOrNull() {
        try {
            return vector();
        } catch (ReflectiveOperationException | LinkageError | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "linear algebra: still plain ({0})", reason(e));
            return null;
        }
    }

    private static String reason(Throwable problem) {
        Throwable cause = problem instanceof java.lang.reflect.InvocationTargetException ? problem.getCause() : problem;
        return cause instanceof LinkageError || cause instanceof ClassNotFoundException ? MISSING : cause.getMessage();
    }

    private static Provider chosen(Provider provider, String why) {
        LOG.log(System.Logger.Level.DEBUG, "linear algebra: {0} ({1})", provider.name(), why);
        return provider;
    }
}
