package io.koopstream.io.samples;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What a cell of a text holds: nothing, a number, or something else. */
public final class Cells {

    private static final Set<String> MISSING =
            Set.of("na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "none", "-", "?");
    private static final int LONGEST_MISSING = 4;
    private static final Pattern DECIMAL_COMMA = Pattern.compile("\\s*[-+]?\\d*,\\d+(?:[eE][-+]?\\d+)?\\s*");
    private static final Pattern THOUSANDS =
            Pattern.compile("\\s*[-+]?\\d{1,3}(?:(?:[,' ]\\d{3})+(?:\\.\\d*)?|(?:[.' ]\\d{3})+(?:,\\d*)?)\\s*");
    private static final Pattern WITH_UNIT =
            Pattern.compile("[-+]?\\d+(?:[.,]\\d+)?\\s*[^\\d\\s.,:/-]\\S*|[$€£]\\s*\\d.*");

    private Cells() {}

    /** Whether a cell says that its value is not known. */
    static boolean isMissing(char[] text, int offset, int length) {
        int from = offset;
        int end = offset + length;
        while (from < end && text[from] <= ' ') {
            from++;
        }
        while (end > from && text[end - 1] <= ' ') {
            end--;
        }
        if (from == end) {
            return true;
        }
        if (end - from > LONGEST_MISSING || (text[from] >= '0' && text[from] <= '9') || text[from] == '.') {
            return false;
        }
        return MISSING.contains(new String(text, from, end - from).toLowerCase(Locale.ROOT));
    }

    /** Whether a cell says that its value is not known. */
    public static boolean isMissing(String text) {
        return text == null || isMissing(text.toCharArray(), 0, text.length());
    }

    /** Whether it is a number, also one with a decimal comma. */
    static boolean isNumber(String text) {
        try {
            JavaDoubleParser.parseDouble(hasDecimalComma(text) ? text.replace(',', '.') : text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    static boolean hasDecimalComma(String text) {
        return text.indexOf(',') >= 0 && DECIMAL_COMMA.matcher(text).matches();
    }

    /** Whether it may be a number whose thousands are set apart. */
    static boolean mayHaveThousands(String text) {
        return THOUSANDS.matcher(text).matches();
    }

    /** Whether it may be a number with a unit. */
    static boolean mayHaveUnit(String text) {
        return WITH_UNIT.matcher(text.strip()).matches();
    }

    /** A cell for messages. */
    static String quote(String text) {
        return "'" + (text.length() <= 40 ? text : text.substring(0, 40) + "…") + "'";
    }
}
