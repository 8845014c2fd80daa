package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Gaussian.Form;
import io.koopstream.kernel.LengthScale.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recursive descent over the grammar of {@link Kernels#parse}; only the names listed here exist, never a class name. */
final class KernelParser {

    private static final int DEEPEST = 64;
    private static final int MAX_LENGTH = 100_000;
    private static final String KNOWN =
            "gaussian, laplacian, matern32, matern52, rational-quadratic, inverse-multiquadric, "
                    + "linear, polynomial, scaled, concat";

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{Nd}-]*");
    private static final Pattern REFERENCE = Pattern.compile("[\\p{L}\\p{Nd}_]*");
    static final Pattern CUSTOM_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]*(?:[eE][+-]?[0-9.]*)?");

    private final String text;
    private final Map<String, List<Double>> arrays;
    private final Function<String, Kernel> own;
    private int position;
    private int depth;

    KernelParser(String text) {
        this(text, Map.of(), name -> null);
    }

    /**
     * Of a text that may refer to these arrays.
     *
     * @param own the caller's own kernels by their names; null for a name it does not know
     */
    KernelParser(String text, Map<String, List<Double>> arrays, Function<String, Kernel> own) {
        this.text = text == null ? "" : text;
        this.arrays = arrays;
        this.own = own;
    }

    Kernel parse() {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidConfigException(
                    "kernel", text.substring(0, 40) + "...", "is longer than " + MAX_LENGTH + " characters");
        }
        Kernel kernel = expression();
        skipSpace();
        if (position < text.length()) {
            throw wrong("expected '+', '*' or the end");
        }
        return kernel;
    }

    /** term ('+' term)*. */
    private Kernel expression() {
        if (++depth > DEEPEST) {
            throw wrong("is nested more than " + DEEPEST + " deep");
        }
        List<Double> weights = new ArrayList<>();
        List<Kernel> kernels = new ArrayList<>();
        boolean weighted = false;
        do {
            Term term = term();
            weights.add(term.weight);
            kernels.add(term.kernel);
            weighted |= term.weighted;
        } while (accept('+'));
        depth--;
        return kernels.size() == 1 && !weighted ? kernels.get(0) : new Sum(weights, kernels);
    }

    private record Term(double weight, boolean weighted, Kernel kernel) {}

    /** factor ('*' factor)*, where a factor may be a number. */
    private Term term() {
        double weight = 1;
        boolean weighted = false;
        List<Kernel> factors = new ArrayList<>();
        do {
            skipSpace();
            if (position < text.length() && "0123456789.-".indexOf(text.charAt(position)) >= 0) {
                weight *= number();
                weighted = true;
            } else if (accept('(')) {
                factors.add(expression());
                require(')');
            } else {
                factors.add(call());
            }
        } while (accept('*'));
        if (factors.isEmpty()) {
            throw wrong("a number must be followed by '*' and a kernel");
        }
        return new Term(weight, weighted, factors.size() == 1 ? factors.get(0) : new Product(factors));
    }

    private Kernel call() {
        int start = position;
        String name = name();
        if (name.isEmpty()) {
            throw wrong("expected a kernel name (" + KNOWN + ")");
        }
        if (name.equals(CustomKernel.CALL)) {
            return custom();
        }
        if (!List.of(KNOWN.split(", ")).contains(name)) {
            position = start;
            throw wrong("unknown kernel '" + name + "'; known are " + KNOWN);
        }
        require('(');
        if (!name.equals("scaled") && !name.equals("concat")) {
            return simple(name, arguments());
        }
        Kernel kernel = name.equals("scaled") ? scaled() : concatenated();
        require(')');
        return kernel;
    }

    private Kernel custom() {
        require('(');
        String name = take(CUSTOM_NAME);
        Kernel kernel = name.isEmpty() ? null : own.apply(name);
        if (kernel == null) {
            throw wrong("a kernel of one's own is a function, in Java: Kernel.of(name, bound, function)");
        }
        require(')');
        return kernel;
    }

    private Kernel scaled() {
        Kernel inner = expression();
        List<Double> scales = new ArrayList<>();
        while (accept(',')) {
            if (scales.isEmpty() && !arrays.isEmpty() && accept(KernelOutline.MARK)) {
                return new Scaled(inner, array());
            }
            scales.add(number());
        }
        return new Scaled(inner, scales);
    }

    private List<Double> array() {
        int start = position;
        String name = take(REFERENCE);
        List<Double> array = arrays.get(name);
        if (array == null) {
            position = start;
            throw wrong("there is no array '" + name + "'");
        }
        return array;
    }

    private Kernel concatenated() {
        List<Concatenated.Part> parts = new ArrayList<>();
        do {
            int dimension = whole("dimension", number());
            require(':');
            parts.add(new Concatenated.Part(dimension, expression()));
        } while (accept(','));
        return new Concatenated(parts);
    }

    private Kernel simple(String name, Map<String, Double> given) {
        Kernel kernel = switch (name) {
            case "gaussian" ->
                given.containsKey("gamma")
                        ? new Gaussian(Form.GAMMA, take(name, given, "gamma", null))
                        : new Gaussian(Form.SIGMA, take(name, given, "sigma", null));
            case "laplacian" -> new LengthScale(Shape.LAPLACIAN, take(name, given, "sigma", null));
            case "matern32" -> new LengthScale(Shape.MATERN32, take(name, given, "sigma", null));
            case "matern52" -> new LengthScale(Shape.MATERN52, take(name, given, "sigma", null));
            case "rational-quadratic" ->
                new RationalQuadratic(take(name, given, "sigma", null), take(name, given, "alpha", 1.0));
            case "inverse-multiquadric" ->
                new LengthScale(Shape.INVERSE_MULTIQUADRIC, take(name, given, "sigma", null));
            case "linear" -> new Polynomial(1, take(name, given, "offset", 0.0), take(name, given, "radius", null));
            default ->
                new Polynomial(
                        whole("degree", take(name, given, "degree", null)),
                        take(name, given, "offset", 0.0),
                        take(name, given, "radius", null));
        };
        if (!given.isEmpty()) {
            String key = given.keySet().iterator().next();
            throw wrong(name + " has no parameter " + (key.isEmpty() ? "without a name" : "'" + key + "'"));
        }
        return kernel;
    }

    /** Takes an argument away from those given to a kernel; a first one without a name is the sigma. */
    private double take(String kernel, Map<String, Double> given, String key, Double fallback) {
        Double value = given.remove(key.equals("sigma") && !given.containsKey(key) ? "" : key);
        if (value == null && fallback == null) {
            throw wrong(kernel + " needs " + key + "=...");
        }
        return value == null ? fallback : value;
    }

    private Map<String, Double> arguments() {
        Map<String, Double> arguments = new LinkedHashMap<>();
        if (!accept(')')) {
            do {
                skipSpace();
                String key = "";
                if (position < text.length() && Character.isLetter(text.charAt(position))) {
                    key = name();
                    require('=');
                }
                if (arguments.put(key, number()) != null) {
                    throw wrong("parameter '" + key + "' is given twice");
                }
            } while (accept(','));
            require(')');
        }
        return arguments;
    }

    private int whole(String what, double value) {
        if (value != Math.rint(value) || Math.abs(value) > 1e6) {
            throw wrong(what + " must be a whole number, not " + value);
        }
        return (int) value;
    }

    private String name() {
        skipSpace();
        return take(NAME);
    }

    /** The match of a pattern at the present position, maybe empty. */
    private String take(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(position, text.length());
        String taken = matcher.lookingAt() ? matcher.group() : "";
        position += taken.length();
        return taken;
    }

    private double number() {
        skipSpace();
        int start = position;
        try {
            return Double.parseDouble(take(NUMBER));
        } catch (NumberFormatException e) {
            position = start;
            throw wrong("expected a number");
        }
    }

    private void skipSpace() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private boolean accept(char c) {
        skipSpace();
        if (position < text.length() && text.charAt(position) == c) {
            position++;
            return true;
        }
        return false;
    }

    private void require(char c) {
        if (!accept(c)) {
            throw wrong("expected '" + c + "'");
        }
    }

    private InvalidConfigException wrong(String problem) {
        return new InvalidConfigException("kernel", text, "at character " + (position + 1) + ": " + problem);
    }
}
