package io.koopstream.theory;

/**
 * One assumption or statement of the paper, and whether given settings meet it.
 *
 * @param statement what it is, e.g. {@code Assumption 3(b)}
 * @param holds whether it holds
 * @param reason why, or why not and what to do about it
 */
public record Condition(String statement, boolean holds, String reason) {

    /** As a line to read. */
    public String text() {
        return statement + (holds ? " holds: " : " does not hold: ") + reason;
    }
}
