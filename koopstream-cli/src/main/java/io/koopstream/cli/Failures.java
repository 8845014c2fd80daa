package io.koopstream.cli;

import io.koopstream.KoopstreamException;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.io.ModelAccessException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into one line on standard error and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    private final Console console;

    Failures(Console console) {
        this.console = console;
    }

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        StringBuilder text = new StringBuilder(oneLine(e.getMessage()));
        if (e instanceof UnmatchedArgumentException unmatched) {
            var suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                text.append("; did you mean '").append(suggestions.get(0)).append("'?");
            }
        }
        String command = line.getCommandSpec().qualifiedName();
        text.append(" (").append(command).append(" --help shows the usage)");
        return fail(Exit.WRONG_USAGE, text.toString());
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine line, ParseResult result) {
        if (e instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        if (e instanceof ModelAccessException) {
            return fail(Exit.IO_ERROR, e.getMessage());
        }
        if (e instanceof CommandFailure failure && failure.exitCode() == Exit.OK) {
            return Exit.OK;
        }
        if (e instanceof CommandFailure failure) {
            return fail(failure.exitCode(), failure.getMessage());
        }
        if (e instanceof IOException trouble) {
            return fail(Exit.IO_ERROR, describe(trouble));
        }
        if (e instanceof UncheckedIOException trouble) {
            return fail(Exit.IO_ERROR, describe(trouble.getCause()));
        }
        if (e instanceof KoopstreamException || e instanceof IllegalArgumentException) {
            return fail(Exit.BAD_DATA, e.getMessage());
        }
        // Everything above was foreseen; this was not, so its trace is worth more than a short line.
        e.printStackTrace(console.err());
        return fail(Exit.DEFECT, "this is a bug in koop; please report it with the lines above: " + e);
    }

    private int fail(int code, String message) {
        console.tell("koop: " + oneLine(message));
        return code;
    }

    private static String describe(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + ": no such file or folder; check the path";
        }
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": access denied; check the permissions";
        }
        if (e instanceof FileSystemException trouble && trouble.getReason() != null) {
            return trouble.getFile() + ": " + trouble.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static String oneLine(String message) {
        return message == null ? "unknown failure" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
