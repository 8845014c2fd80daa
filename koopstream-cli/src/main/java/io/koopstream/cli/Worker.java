package io.koopstream.cli;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Kept;
import io.koopstream.io.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs commands for another program without a new start of Java for each: the Python package talks to it. A line of standard input holds the
 * arguments of one command with tabs between; a line of standard output answers with a JSON object of {@code code}, {@code out} and {@code err}. All
 * state is in the files that commands name, of which it keeps some in memory until they change, and it ends with standard input, so also when the other program is killed.
 */
final class Worker {

    private Worker() {}

    /** Answers until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Koop.quieten();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // What some library prints by itself must not look like an answer.
        System.setOut(System.err);
        Kept kept = new Kept();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.print(Json.text(answer(kept, line.split("\t", -1))));
            answers.flush();
        }
    }

    private static Map<String, Object> answer(Kept kept, String[] command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code;
        try (PrintStream to = new PrintStream(out, false, StandardCharsets.UTF_8);
                PrintStream messages = new PrintStream(err, false, StandardCharsets.UTF_8)) {
            Console console = new Console(InputStream.nullInputStream(), to, messages, false);
            code = Koop.run(console.keeping(kept), command);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("code", code);
        answer.put("out", out.toString(StandardCharsets.UTF_8));
        answer.put("err", err.toString(StandardCharsets.UTF_8));
        return answer;
    }
}
