package io.koopstream.io.samples;

import java.io.IOException;
import java.util.BitSet;
import java.util.function.DoubleSupplier;

/** Rows of a text, one per line. A blank line is a row whose numbers are missing, except at the end of the text, where it is nothing. */
abstract class TextRowReader extends RowReader {

    /** Longer lines are refused: no row of numbers is, and a reader must not take memory without end. */
    static final int MAX_LINE = 1 << 22;

    private final DoubleSupplier share;
    /** Blank lines before the row that was found, counted from the first of them. */
    private final BitSet blanks = new BitSet();

    private long firstBlank;
    private int toldBlanks;
    private boolean found;

    TextRowReader(String source, DoubleSupplier share) {
        super(source);
        this.share = share;
    }

    /** Goes to the next line; false at the end. */
    abstract boolean nextLine() throws IOException;

    /** The number of the line, from 1. */
    abstract long line();

    /** Whether the line holds nothing but white space. */
    abstract boolean isBlank();

    /** Reads the line as a row. */
    abstract void take(Sample into);

    /**
     * Goes to the first line that is not blank; those before it are no rows.
     *
     * @param row whether it is a row, which {@link #read} will take
     */
    final boolean findFirst(boolean row) throws IOException {
        boolean any = find();
        blanks.clear();
        found = any && row;
        return any;
    }

    private boolean find() throws IOException {
        while (nextLine()) {
            if (!isBlank()) {
                return true;
            }
            firstBlank = blanks.isEmpty() ? line() : firstBlank;
            blanks.set(Math.toIntExact(line() - firstBlank));
        }
        return false;
    }

    @Override
    public final boolean read(Sample into) throws IOException {
        found = found || find();
        if (!found) {
            return false;
        }
        int blank = blanks.nextSetBit(toldBlanks);
        if (blank >= 0) {
            toldBlanks = blank + 1;
            throw new BadRowException(
                    source,
                    firstBlank + blank,
                    null,
                    "is blank, expected a row; remove the line if none is missing there",
                    null);
        }
        blanks.clear();
        toldBlanks = 0;
        found = false;
        take(into);
        return true;
    }

    @Override
    public final double share() {
        return share.getAsDouble();
    }
}
