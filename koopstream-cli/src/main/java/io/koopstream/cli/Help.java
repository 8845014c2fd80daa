package io.koopstream.cli;

import io.koopstream.cli.ask.ForecastStarts;
import io.koopstream.cli.learn.LearnOptions;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.RowOptions;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** How help is laid out: a short first line, options under headings, and prose that wraps well at any width. */
final class Help {

    private static final int MIN_WIDTH = 60;
    private static final int MAX_WIDTH = 100;

    /** With more options than this the first line does not list them. */
    private static final int MANY = 8;

    /** What the options are about that several commands share. */
    private static final Map<Class<?>, String> HEADINGS = Map.of(
            DataOptions.class, "Reading the data:",
            RowOptions.class, "Reading the data:",
            AnswerOptions.class, "Choosing the operator that answers:",
            ForecastStarts.class, "Where forecasts start:");

    private Help() {}

    /** Lays out the help of a command and of those below it, as wide as the terminal, within limits. */
    static void layOut(CommandLine line, Console console) {
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpWidth(
                console.terminal()
                        ? Math.max(
                                MIN_WIDTH, Math.min(MAX_WIDTH, console.width().getAsInt()))
                        : MAX_WIDTH);
        layOut(line);
    }

    private static void layOut(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        usage.footer(reflowed(usage.footer()));
        if (spec.options().size() > MANY) {
            usage.customSynopsis(synopsis(spec));
        }
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Help::options);
        line.getSubcommands().values().forEach(Help::layOut);
    }

    private static String synopsis(CommandSpec spec) {
        StringBuilder text = new StringBuilder(spec.qualifiedName()).append(" [OPTIONS]");
        for (OptionSpec option : spec.options()) {
            // One of a group that excludes each other counts as required within it.
            if (option.required() && option.group() == null) {
                text.append(' ').append(option.shortestName()).append(' ').append(option.paramLabel());
            }
        }
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            text.append(parameter.required() ? " " + parameter.paramLabel() : " [" + parameter.paramLabel() + "]");
        }
        return text.toString();
    }

    /** Lines of prose become one paragraph each; what is indented or has two spaces after a colon stays as it is. */
    private static String[] reflowed(String... lines) {
        List<String> text = new ArrayList<>();
        boolean prose = false;
        for (String line : lines) {
            boolean isProse = !line.isBlank() && !line.startsWith(" ") && !line.contains(":  ");
            if (prose && isProse) {
                text.set(text.size() - 1, text.get(text.size() - 1) + " " + line);
            } else {
                text.add(line);
            }
            prose = isProse;
        }
        return text.toArray(String[]::new);
    }

    private static String heading(Object owner) {
        return owner instanceof LearnOptions
                ? "Learning:"
                : owner instanceof Member field ? HEADINGS.getOrDefault(field.getDeclaringClass(), "") : "";
    }

    /** The command's own options first, then those that it shares with others, all in columns of one width. */
    private static String options(CommandLine.Help help) {
        CommandSpec spec = help.commandSpec();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put("", new ArrayList<>());
        for (OptionSpec option : spec.options()) {
            groups.computeIfAbsent(heading(option.userObject()), key -> new ArrayList<>())
                    .add(option);
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) -> {
            text.append(heading.isEmpty() ? "" : "\n" + heading + "\n");
            options.sort(help.createDefaultOptionSort());
            CommandLine.Help.Layout layout =
                    help.createDefaultLayout(spec.options(), spec.positionalParameters(), help.colorScheme());
            layout.addAllOptions(options, help.createDefaultParamLabelRenderer());
            text.append(layout);
        });
        return text.toString();
    }
}
