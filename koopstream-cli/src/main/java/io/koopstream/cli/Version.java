package io.koopstream.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {

    /** The version in the jar's manifest; runs from a folder of classes have none. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"koop " + text() + " (Java " + System.getProperty("java.version") + ")"};
    }
}
