package io.koopstream.server.http.live;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The files of the page, from the jar. A name is one plain file name with a known ending, so there is no way out of the folder. */
public final class PageFiles {

    private static final String FOLDER = "/io/koopstream/server/web/";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}\\.(html|css|js|svg|png|json)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "json", "application/json");

    private PageFiles() {}

    /** The content type of a file. */
    public static String type(String name) {
        return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    }

    /** The bytes of a file. */
    public static byte[] read(String name) throws IOException {
        URL url = NAME.matcher(name).matches() ? PageFiles.class.getResource(FOLDER + name) : null;
        if (url == null || leadsElsewhere(url)) {
            throw new ApiError(Code.NOT_FOUND, "there is no such file of the page");
        }
        try (InputStream in = url.openStream()) {
            return in.readAllBytes();
        }
    }

    /** Whether it is a symbolic link, which can only be where the classes are in a folder. */
    private static boolean leadsElsewhere(URL url) throws IOException {
        if (!url.getProtocol().equals("file")) {
            return false;
        }
        try {
            Path file = Path.of(url.toURI());
            Path folder = file.getParent().toRealPath();
            return !file.toRealPath().equals(folder.resolve(file.getFileName()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
