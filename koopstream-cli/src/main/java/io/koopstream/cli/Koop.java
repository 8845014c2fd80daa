package io.koopstream.cli;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.TerminalWidth;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code koop} command. */
@Command(
        name = "koop",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Learns the Koopman operator of an unknown system from a stream of samples.",
        footer = {
            "",
            "Start with:  koop demo, or with your own file: koop look FILE",
            "Exit codes:  0 success, 2 usage error, 3 bad data or setting, 4 file error."
        })
public final class Koop implements Runnable {

    /** The property with the multiply-adds after which SIMD loops take over; read when the first numbers are multiplied. */
    private static final String PLAIN_WORK = "koopstream.linalg.plainWork";

    /** Bytes of a file that takes longer to learn than the compiler takes for SIMD loops. */
    private static final long MUCH = 16L << 20;

    @Spec
    private CommandSpec spec;

    private Koop() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // Pictures are drawn in memory; without this, Java looks for a display.
        System.setProperty("java.awt.headless", "true");
        quieten();
        if (isLong(arguments) && System.getProperty(PLAIN_WORK) == null) {
            System.setProperty(PLAIN_WORK, "0");
        }
        Console console = new Console(
                System.in,
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                Boolean.getBoolean("koop.terminal"),
                new TerminalWidth());
        int code = run(console, arguments);
        console.out().flush();
        console.err().flush();
        System.exit(code);
    }

    /** Whether much data is to be learned, which is worth SIMD loops from the first row on (0041). */
    static boolean isLong(String... arguments) {
        return arguments.length > 0
                && arguments[0].equals("learn")
                && Arrays.stream(arguments).map(File::new).anyMatch(file -> file.isFile() && file.length() > MUCH);
    }

    /** What learners log about their settings, the commands say themselves where it belongs. */
    static void quieten() {
        QUIET.setLevel(Level.WARNING);
    }

    /** Held here because loggers that nobody holds are forgotten with their level. */
    private static final Logger QUIET = Logger.getLogger("io.koopstream");

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }

    /** Runs the command inside this process and returns its exit code. */
    public static int run(Console console, String... arguments) {
        CommandLine line = new CommandLine(new Koop());
        Commands.addTo(line, console, arguments);
        line.setOut(new java.io.PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        line.setErr(new java.io.PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        Failures failures = new Failures(console);
        line.setParameterExceptionHandler(failures);
        line.setExecutionExceptionHandler(failures);
        Help.layOut(line, console);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line.execute(arguments);
    }

    /** Without a command there is nothing to do: shows what there is. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "no command given: try 'koop demo', or 'koop --help' for all commands");
    }
}
