package io.koopstream.cli.keep;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.server.engine.DataFolder.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what was found in a data folder. */
final class Findings {

    private Findings() {}

    /** Prints a line for each model and what is wrong below it; the exit code says whether all are whole. */
    static int tell(Console console, boolean json, List<Finding> findings) {
        return tell(console, json, findings, "some damaged: restore from a backup, or see what koop repair would do");
    }

    /** @param damage what is said where not all are whole, and what to do then */
    static int tell(Console console, boolean json, List<Finding> findings, String damage) {
        boolean whole = findings.stream().allMatch(Finding::whole);
        if (json) {
            console.json(Map.of("whole", whole, "models", document(findings)));
        } else {
            findings.forEach(finding -> say(console, finding));
            console.say("%d models, %s", findings.size(), whole ? "all intact" : damage);
        }
        return whole ? Exit.OK : Exit.BAD_DATA;
    }

    private static List<Object> document(List<Finding> findings) {
        List<Object> list = new ArrayList<>();
        for (Finding finding : findings) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("model", finding.model());
            entry.put("whole", finding.whole());
            entry.put("batches", finding.batches());
            entry.put("samples", finding.samples());
            entry.put("lost", finding.lost());
            entry.put("digest", finding.digest());
            entry.put("faults", finding.faults());
            list.add(entry);
        }
        return list;
    }

    private static void say(Console console, Finding finding) {
        console.say(
                "%s: %s; %d batches with %d samples%s",
                finding.model(),
                finding.whole() ? "intact" : "DAMAGED",
                finding.batches(),
                finding.samples(),
                finding.lost() == 0 ? "" : "; " + finding.lost() + " acknowledged batches are lost");
        finding.faults().forEach(fault -> console.say("  %s", fault));
    }
}
