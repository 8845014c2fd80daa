package io.koopstream.io.samples;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.koopstream.io.EncodableText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** What the columns of a table mean, and how their cells are read. Used by one reader. */
final class TableColumns {

    private static final Pattern ZEROS = Pattern.compile("\\.0*$");

    private final RowRoles roles;
    /** How a column's times are written; null for columns that hold none. */
    private final TimeStyle[] styles;
    /** Which columns have shown decimal commas. */
    private final boolean[] commas;

    private final List<TableColumn> described;
    private final List<String> stateNames;
    private final TimeStyle timeStyle;
    /** The columns of which times are put together, in the order of the pattern; empty where one column holds them. */
    private final int[] pieces;

    private final String[] pieceTexts;
    private final List<String> notes;
    private char[] scratch = new char[32];
    private boolean timeMissing;
    private boolean commasTold;
    private String lastTrajectory = "";
    /** The first problem of the present row, and its column. */
    private String problem;

    private String problemColumn;

    TableColumns(
            RowRoles roles,
            TimeStyle[] styles,
            boolean[] commas,
            List<TableColumn> described,
            List<String> stateNames,
            TimeStyle timeStyle,
            int[] pieces,
            List<String> notes) {
        this.roles = roles;
        this.styles = styles;
        this.commas = commas;
        this.described = List.copyOf(described);
        this.stateNames = List.copyOf(stateNames);
        this.timeStyle = timeStyle;
        this.pieces = pieces;
        this.pieceTexts = new String[pieces.length];
        this.notes = new ArrayList<>(notes);
        for (boolean comma : commas) {
            tellCommas(comma);
        }
    }

    private void tellCommas(boolean seen) {
        if (seen && !commasTold) {
            commasTold = true;
            notes.add("decimal commas: 1,5 is read as 1.5; write decimal points if commas set thousands apart");
        }
    }

    RowRoles roles() {
        return roles;
    }

    List<TableColumn> described() {
        return described;
    }

    List<String> stateNames() {
        return stateNames;
    }

    /** How times are written; null when there are none. */
    TimeStyle timeStyle() {
        return timeStyle;
    }

    /** What was told from the rows; grows while reading. */
    List<String> notes() {
        return notes;
    }

    /** Adds a line about what was found later. */
    void note(String line) {
        notes.add(line);
    }

    /** Makes room for a row. */
    void begin(Sample into, long row) {
        roles.begin(into, row);
        timeMissing = false;
        problem = null;
        Arrays.fill(pieceTexts, null);
    }

    /** Whether a column is read at all. */
    boolean isRead(int column) {
        return styles[column] != null || !roles.isIgnored(column);
    }

    /** Keeps the first problem of a row: the rest of it may still tell the trajectory. */
    void complain(String column, String what) {
        if (problem == null && what != null) {
            problem = what;
            problemColumn = column;
        }
    }

    /** Refuses a row with a problem. */
    void requireSound(String source, long row, Sample read) {
        if (problem != null) {
            throw new BadRowException(source, row, problemColumn, problem, read.trajectory());
        }
    }

    /** Puts a cell where it belongs. */
    void put(Sample into, int column, char[] buffer, int offset, int length) {
        complain(roles.name(column), read(into, column, buffer, offset, length));
    }

    private String read(Sample into, int column, char[] buffer, int offset, int length) {
        if (roles.isText(column)) {
            String name = trajectory(buffer, offset, length);
            String objection = EncodableText.objection(name);
            if (objection != null) {
                return objection + "; save the file as UTF-8";
            }
            roles.put(into, column, name);
            return null;
        }
        if (!isRead(column)) {
            return null;
        }
        if (Cells.isMissing(buffer, offset, length)) {
            putMissing(into, column);
            return null;
        }
        TimeStyle style = styles[column];
        if (style != null && pieces.length > 0) {
            return putPiece(into, column, piece(new String(buffer, offset, length)));
        }
        if (style != null) {
            double time = style.read(buffer, offset, length);
            putTime(into, time);
            return Double.isNaN(time) ? noTime(new String(buffer, offset, length), style) : null;
        }
        try {
            roles.put(
                    into,
                    column,
                    commas[column]
                            ? numberWithComma(buffer, offset, length)
                            : JavaDoubleParser.parseDouble(buffer, offset, length));
            return null;
        } catch (NumberFormatException e) {
            return putUnusual(into, column, new String(buffer, offset, length));
        }
    }

    /** A part of a time as a whole number; pandas writes one with missing rows as 1959.0. */
    static String piece(String cell) {
        return ZEROS.matcher(cell.strip()).replaceFirst("");
    }

    /** Reads the time when all its parts are there. */
    private String putPiece(Sample into, int column, String text) {
        for (int i = 0; i < pieces.length; i++) {
            pieceTexts[i] = pieces[i] == column ? text : pieceTexts[i];
        }
        if (timeMissing || Arrays.asList(pieceTexts).contains(null)) {
            return null;
        }
        String all = String.join(" ", pieceTexts);
        double time = timeStyle.read(all);
        into.setTime(time);
        return Double.isNaN(time) ? noTime(all, timeStyle) : null;
    }

    private static String noTime(String text, TimeStyle style) {
        return Cells.quote(text) + " is not a time like those before (" + style
                + "); --time-format says how times are written, --time none leaves them out";
    }

    private double numberWithComma(char[] buffer, int offset, int length) {
        if (scratch.length < length) {
            scratch = new char[length];
        }
        for (int i = 0; i < length; i++) {
            char c = buffer[offset + i];
            if (c == '.') {
                throw new NumberFormatException("a point among decimal commas");
            }
            scratch[i] = c == ',' ? '.' : c;
        }
        return JavaDoubleParser.parseDouble(scratch, 0, length);
    }

    private String putUnusual(Sample into, int column, String cell) {
        if (!commas[column] && Cells.hasDecimalComma(cell)) {
            commas[column] = true;
            tellCommas(true);
            roles.put(into, column, JavaDoubleParser.parseDouble(cell.replace(',', '.')));
            return null;
        }
        return Cells.quote(cell)
                + (commas[column] && cell.indexOf('.') >= 0
                        ? " has a point where others have decimal commas; write numbers without thousands separators"
                        : Cells.mayHaveThousands(cell)
                                ? " may be a number with its thousands set apart; write it without separators"
                                : " is not a number; --ignore '" + roles.name(column) + "' leaves the column out");
    }

    /** Puts a value that is not known. */
    void putMissing(Sample into, int column) {
        if (styles[column] != null) {
            timeMissing = true;
            into.setTime(Double.NaN);
        } else if (roles.isText(column)) {
            complain(roles.name(column), "is missing");
        } else {
            roles.put(into, column, Double.NaN);
        }
    }

    /** Puts a time; those of a date and of a clock add up. */
    void putTime(Sample into, double time) {
        if (!timeMissing) {
            into.setTime(Double.isNaN(into.time()) ? time : into.time() + time);
        }
    }

    /** How a column's times are written; null for columns that hold none. */
    TimeStyle style(int column) {
        return styles[column];
    }

    /** Most rows belong to the trajectory of the row before: its name is used again. */
    private String trajectory(char[] buffer, int offset, int length) {
        boolean same = length == lastTrajectory.length();
        for (int i = 0; same && i < length; i++) {
            same = buffer[offset + i] == lastTrajectory.charAt(i);
        }
        if (!same) {
            lastTrajectory = new String(buffer, offset, length);
        }
        return lastTrajectory;
    }
}
