package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Pendulum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * A formula over named variables, such as {@code wrap(angle)^2 + 0.1*speed^2}, read from text: costs without a line of Java.
 *
 * <p>Numbers, names, {@code pi}, {@code + - * / ^}, parentheses, comparisons ({@code < <= > >=}, which give 1 or 0) and the functions
 * of {@link #functions()}. Nothing else exists: a formula computes a number from numbers and can do nothing else. Immutable.
 */
public final class Formula {

    private static final int LONGEST = 2000;
    private static final int DEEPEST = 100;

    private static final Map<String, DoubleUnaryOperator> ONE = new TreeMap<>(Map.of(
            "abs", Math::abs,
            "sqrt", Math::sqrt,
            "exp", StrictMath::exp,
            "log", StrictMath::log,
            "sin", StrictMath::sin,
            "cos", StrictMath::cos,
            "tan", StrictMath::tan,
            "wrap", Pendulum::wrap));

    private static final Map<String, DoubleBinaryOperator> TWO =
            new TreeMap<>(Map.of("min", Math::min, "max", Math::max, "atan2", StrictMath::atan2));

    /** A part of a formula. */
    private interface Node {
        double at(double[] variables);
    }

    private final String text;
    private final Node root;

    private Formula(String text, Node root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Reads a formula.
     *
     * @param names the variables, in the order in which {@link #at} takes their values
     * @throws InvalidConfigException if it cannot be read; the message says where and what was expected
     */
    public static Formula parse(String text, List<String> names) {
        if (text == null || text.isBlank() || text.length() > LONGEST) {
            throw new InvalidConfigException(
                    "formula", text, "must be given, in at most " + LONGEST + " characters, e.g. x^2 + 0.1*u^2");
        }
        Parser parser = new Parser(text, List.copyOf(names));
        Node root = parser.comparison(0);
        parser.requireEnd();
        return new Formula(text.strip(), root);
    }

    /** Its value for values of the variables. */
    public double at(double[] variables) {
        return root.at(variables);
    }

    /** The names of the functions there are. */
    public static List<String> functions() {
        List<String> names = new ArrayList<>(ONE.keySet());
        names.addAll(TWO.keySet());
        return List.copyOf(names);
    }

    /** The text it was read from. */
    @Override
    public String toString() {
        return text;
    }

    /** Recursive descent; one method a level of precedence. */
    private static final class Parser {

        private final String text;
        private final List<String> names;
        private int position;

        Parser(String text, List<String> names) {
            this.text = text;
            this.names = names;
        }

        Node comparison(int depth) {
            Node left = sum(depth + 1);
            if (take("<=")) {
                Node right = sum(depth + 1);
                return v -> left.at(v) <= right.at(v) ? 1 : 0;
            }
            if (take(">=")) {
                Node right = sum(depth + 1);
                return v -> left.at(v) >= right.at(v) ? 1 : 0;
            }
            if (take("<")) {
                Node right = sum(depth + 1);
                return v -> left.at(v) < right.at(v) ? 1 : 0;
            }
            if (take(">")) {
                Node right = sum(depth + 1);
                return v -> left.at(v) > right.at(v) ? 1 : 0;
            }
            return left;
        }

        private Node sum(int depth) {
            Node result = product(depth);
            while (true) {
                Node left = result;
                if (take("+")) {
                    Node right = product(depth);
                    result = v -> left.at(v) + right.at(v);
                } else if (take("-")) {
                    Node right = product(depth);
                    result = v -> left.at(v) - right.at(v);
                } else {
                    return result;
                }
            }
        }

        private Node product(int depth) {
            Node result = sign(depth);
            while (true) {
                Node left = result;
                if (take("*")) {
                    Node right = sign(depth);
                    result = v -> left.at(v) * right.at(v);
                } else if (take("/")) {
                    Node right = sign(depth);
                    result = v -> left.at(v) / right.at(v);
                } else {
                    return result;
                }
            }
        }

        /** A sign binds looser than a power: -x^2 is -(x^2). */
        private Node sign(int depth) {
            if (depth > DEEPEST) {
                throw fault("at most " + DEEPEST + " levels of nesting");
            }
            if (take("-")) {
                Node operand = sign(depth + 1);
                return v -> -operand.at(v);
            }
            Node base = primary(depth);
            if (!take("^")) {
                return base;
            }
            int start = position;
            Node exponent = sign(depth + 1);
            if (text.substring(start, position).strip().equals("2")) {
                return v -> {
                    double x = base.at(v);
                    return x * x;
                };
            }
            return v -> StrictMath.pow(base.at(v), exponent.at(v));
        }

        private Node primary(int depth) {
            skipBlanks();
            if (take("(")) {
                Node inside = comparison(depth + 1);
                require(")");
                return inside;
            }
            int start = position;
            char first = position < text.length() ? text.charAt(position) : ' ';
            if ((first >= '0' && first <= '9') || first == '.') {
                return number(start);
            }
            while (position < text.length() && isNamePart(text.charAt(position))) {
                position++;
            }
            String name = text.substring(start, position);
            if (name.isEmpty()) {
                throw fault("a number, a name or '('");
            }
            int index = names.indexOf(name);
            if (index >= 0) {
                return v -> v[index];
            }
            if (take("(")) {
                return call(name, start, depth);
            }
            if (name.equals("pi")) {
                return v -> Math.PI;
            }
            position = start;
            throw fault("one of " + String.join(", ", names) + ", pi or a function");
        }

        private Node number(int start) {
            while (position < text.length()) {
                char c = text.charAt(position);
                boolean exponentSign = (c == '-' || c == '+')
                        && position > start
                        && Character.toLowerCase(text.charAt(position - 1)) == 'e';
                if ((c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || exponentSign) {
                    position++;
                } else {
                    break;
                }
            }
            try {
                double value = Double.parseDouble(text.substring(start, position));
                return v -> value;
            } catch (NumberFormatException e) {
                position = start;
                throw fault("a number such as 0.5 or 1e-3");
            }
        }

        private Node call(String name, int start, int depth) {
            Node argument = comparison(depth + 1);
            if (ONE.containsKey(name)) {
                require(")");
                DoubleUnaryOperator function = ONE.get(name);
                return v -> function.applyAsDouble(argument.at(v));
            }
            if (TWO.containsKey(name)) {
                require(",");
                Node second = comparison(depth + 1);
                require(")");
                DoubleBinaryOperator function = TWO.get(name);
                return v -> function.applyAsDouble(argument.at(v), second.at(v));
            }
            position = start;
            throw fault("one of the functions " + String.join(", ", functions()));
        }

        private static boolean isNamePart(char c) {
            return c == '_' || c == '.' || Character.isLetterOrDigit(c);
        }

        private void skipBlanks() {
            while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
                position++;
            }
        }

        private boolean take(String token) {
            skipBlanks();
            if (text.startsWith(token, position)) {
                position += token.length();
                return true;
            }
            return false;
        }

        private void require(String token) {
            if (!take(token)) {
                throw fault("'" + token + "'");
            }
        }

        void requireEnd() {
            skipBlanks();
            if (position < text.length()) {
                throw fault("an operator or the end");
            }
        }

        private InvalidConfigException fault(String expected) {
            skipBlanks();
            String found = position < text.length() ? "'" + text.charAt(position) + "'" : "the end";
            return new InvalidConfigException(
                    "formula", text, "at character " + (position + 1) + " expected " + expected + ", found " + found);
        }
    }
}
