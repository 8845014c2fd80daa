package io.koopstream.cli.shell;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of which reports are made: one HTML file each, without scripts or other files. */
public final class Html {

    /** Pictures are drawn for a printed column; on a screen there is more room. */
    private static final double SCREEN_SCALE = 1.8;

    private static final Pattern WIDTH = Pattern.compile("<svg[^>]*?\\bwidth=\"([0-9.]+)");

    private Html() {}

    /** The beginning of every report, up to its title. */
    public static String top(String title) {
        return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title)
                + "</title><style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
                + "table{border-collapse:collapse;margin:1em 0}td:first-child{white-space:nowrap}td,th{padding:.25em .9em;border-bottom:1px solid #ccc;"
                + "text-align:left}figure{margin:1.5em 0}figcaption{color:#555}img{max-width:100%;height:auto}</style></head><body><h1>"
                + escaped(title) + "</h1>";
    }

    /** A drawing inside the document, with words below it. */
    public static void figure(StringBuilder html, String svg, String caption) {
        Matcher width = WIDTH.matcher(svg);
        int shown = width.find() ? (int) (SCREEN_SCALE * Double.parseDouble(width.group(1))) : 600;
        // As an image each drawing keeps its own names: clip paths of one would otherwise cut another.
        html.append("<figure><img style=\"width:")
                .append(shown)
                .append("px\" alt=\"")
                .append(escaped(caption))
                .append("\" src=\"data:image/svg+xml;base64,")
                .append(Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)))
                .append("\"><figcaption>")
                .append(escaped(caption))
                .append("</figcaption></figure>");
    }

    /** Text that a browser shows as it is. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
