package io.koopstream.lab.accuracy;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table in markdown that is printed row by row, so that a long study shows how far it is. */
final class Table {

    private final PrintStream out;
    private final int columns;

    Table(PrintStream out, String... headers) {
        this.out = out;
        this.columns = headers.length;
        print(List.of(headers));
        out.println("|" + "---|".repeat(columns));
    }

    /** Prints a row; arrays among the cells are spread over as many columns. */
    void row(Object... cells) {
        List<String> texts = new ArrayList<>();
        for (Object cell : cells) {
            if (cell instanceof String[] several) {
                texts.addAll(List.of(several));
            } else {
                texts.add(String.valueOf(cell));
            }
        }
        if (texts.size() != columns) {
            throw new IllegalArgumentException(texts.size() + " cells in a table of " + columns + " columns: " + texts);
        }
        print(texts);
    }

    private void print(List<String> cells) {
        out.println("| " + String.join(" | ", cells) + " |");
        out.flush();
    }
}
