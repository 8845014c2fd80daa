package io.koopstream.server.http.guard;

import io.koopstream.server.http.error.ApiError;
import java.util.Set;
import java.util.regex.Pattern;

/** What a model or a policy may be called. A name is part of addresses and of file names, so little is allowed. */
public final class ModelNames {

    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    /** Names of devices, which are no names of folders on some systems. */
    private static final Set<String> RESERVED = Set.of("con", "prn", "aux", "nul");

    private static final Pattern RESERVED_NUMBERED = Pattern.compile("(com|lpt)[0-9]");

    private static final int SHOWN = 80;

    private ModelNames() {}

    /** Returns the name if it is allowed, refuses it otherwise. */
    public static String require(String name) {
        return require("model", name);
    }

    /** The same for something else than a model. */
    public static String require(String what, String name) {
        if (name == null || !ALLOWED.matcher(name).matches()) {
            throw new ApiError(
                            ApiError.Code.BAD_NAME,
                            what + " name " + shown(name)
                                    + ": must be 1 to 64 of a-z, 0-9 and '-', and not begin with '-'; e.g. plant-1")
                    .with("field", "name");
        }
        if (RESERVED.contains(name) || RESERVED_NUMBERED.matcher(name).matches()) {
            throw new ApiError(
                            ApiError.Code.BAD_NAME,
                            what + " name '" + name + "': reserved by operating systems; choose another")
                    .with("field", "name");
        }
        return name;
    }

    private static String shown(String name) {
        if (name == null) {
            return "is missing";
        }
        String printable = name.replaceAll("[^\\x20-\\x7e]", "?");
        return "'" + (printable.length() > SHOWN ? printable.substring(0, SHOWN) + "…" : printable) + "'";
    }
}
