package io.koopstream.cli.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.DefaultExtensionHandler;
import org.apache.batik.svggen.DefaultImageHandler;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * One or more charts side by side or one above the other, drawn to PNG and SVG. Lengths are in points (1/72 inch), so that text has
 * its true size when the picture is printed at its own width.
 */
public final class Figure {

    /** The width of a column in most journals. */
    static final double COLUMN = 245;

    /** 288 dots per inch. */
    private static final double PIXELS_PER_POINT = 4;

    private static final int FITTING_ROUNDS = 3;

    /** Charts beside each other at most: three are a page wide. */
    static final int IN_A_ROW = 3;

    private record Panel(JFreeChart chart, Rectangle2D area) {}

    private final List<Panel> panels;
    private final double width;
    private final double height;

    private Figure(List<Panel> panels) {
        this.panels = panels;
        this.width = panels.stream().mapToDouble(p -> p.area.getMaxX()).max().orElseThrow();
        this.height = panels.stream().mapToDouble(p -> p.area.getMaxY()).max().orElseThrow();
    }

    /** A chart of a given size. */
    static Figure of(JFreeChart chart, double width, double height) {
        return new Figure(List.of(new Panel(chart, new Rectangle2D.Double(0, 0, width, height))));
    }

    /** A chart as wide as given and as high as gives its data area the wanted ratio of height to width. */
    static Figure withAspect(JFreeChart chart, double width, double heightOverWidth) {
        return of(chart, width, fittingHeight(chart, width, heightOverWidth));
    }

    /** Charts in rows of three, with data areas of one size and the wanted ratio of height to width. */
    static Figure rows(List<JFreeChart> charts, double dataWidth, double heightOverWidth) {
        return rows(charts, IN_A_ROW, dataWidth, heightOverWidth);
    }

    /** Charts in rows of so many. */
    static Figure rows(List<JFreeChart> charts, int inARow, double dataWidth, double heightOverWidth) {
        Panel[] panels = new Panel[charts.size()];
        double x = 0;
        double y = 0;
        double rowHeight = 0;
        for (int i = 0; i < panels.length; i++) {
            if (i > 0 && i % inARow == 0) {
                x = 0;
                y += rowHeight;
                rowHeight = 0;
            }
            Rectangle2D area = fitting(charts.get(i), dataWidth, dataWidth * heightOverWidth);
            panels[i] = new Panel(charts.get(i), new Rectangle2D.Double(x, y, area.getWidth(), area.getHeight()));
            x += area.getWidth();
            rowHeight = Math.max(rowHeight, area.getHeight());
        }
        return new Figure(List.of(panels));
    }

    /** Charts below each other. */
    static Figure column(List<JFreeChart> charts, double width, double heightOfEach) {
        Panel[] panels = new Panel[charts.size()];
        for (int i = 0; i < panels.length; i++) {
            panels[i] = new Panel(charts.get(i), new Rectangle2D.Double(0, i * heightOfEach, width, heightOfEach));
        }
        return new Figure(List.of(panels));
    }

    /** Titles and axes take what they need, so the size is found by drawing and measuring. */
    private static Rectangle2D fitting(JFreeChart chart, double dataWidth, double dataHeight) {
        double width = dataWidth + 60;
        double height = dataHeight + 40;
        for (int round = 0; round < FITTING_ROUNDS; round++) {
            Rectangle2D data = dataArea(chart, width, height);
            width += dataWidth - data.getWidth();
            height += dataHeight - data.getHeight();
        }
        return new Rectangle2D.Double(0, 0, width, height);
    }

    private static double fittingHeight(JFreeChart chart, double width, double heightOverWidth) {
        // Room for titles and axes, without which a chart that is too low is not drawn and cannot be measured.
        double height = width * heightOverWidth + 80;
        for (int round = 0; round < FITTING_ROUNDS; round++) {
            Rectangle2D data = dataArea(chart, width, height);
            height += data.getWidth() * heightOverWidth - data.getHeight();
        }
        return height;
    }

    private static Rectangle2D dataArea(JFreeChart chart, double width, double height) {
        ChartRenderingInfo info = new ChartRenderingInfo();
        Graphics2D g = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB).createGraphics();
        chart.draw(g, new Rectangle2D.Double(0, 0, width, height), info);
        g.dispose();
        return info.getPlotInfo().getDataArea();
    }

    /** Writes name.png and name.svg into a folder. */
    public void write(Path folder, String name) throws IOException {
        writePng(folder.resolve(name + ".png"));
        writeSvg(folder.resolve(name + ".svg"));
    }

    /** Writes one file in the format its name ends with; PNG unless it is .svg. */
    public void write(Path file) throws IOException {
        if (file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
            writeSvg(file);
        } else {
            writePng(file);
        }
    }

    private void writePng(Path file) throws IOException {
        BufferedImage image = new BufferedImage(
                (int) Math.ceil(width * PIXELS_PER_POINT),
                (int) Math.ceil(height * PIXELS_PER_POINT),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        g.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
        draw(g);
        g.dispose();
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException(file + ": this Java has no PNG writer");
        }
    }

    private void writeSvg(Path file) throws IOException {
        Files.writeString(file, svg());
    }

    /** The picture as SVG text. */
    public String svg() throws IOException {
        SVGGraphics2D g = new SVGGraphics2D(emptyDocument(), new PngInside(), new DefaultExtensionHandler(), false);
        g.setSVGCanvasSize(new java.awt.Dimension((int) Math.ceil(width), (int) Math.ceil(height)));
        draw(g);
        StringWriter text = new StringWriter();
        g.stream(text, true);
        return text.toString();
    }

    /** Puts images into the SVG itself; Batik's own way needs an image library more than Java has. */
    private static final class PngInside extends DefaultImageHandler {

        @Override
        protected void handleHREF(Image image, Element element, SVGGeneratorContext context)
                throws SVGGraphics2DIOException {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            try {
                ImageIO.write((BufferedImage) image, "png", png);
            } catch (IOException e) {
                throw new SVGGraphics2DIOException(e.getMessage(), e);
            }
            element.setAttributeNS(
                    "http://www.w3.org/1999/xlink",
                    "xlink:href",
                    "data:image/png;base64," + Base64.getEncoder().encodeToString(png.toByteArray()));
        }
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("every Java platform has an XML document builder", e);
        }
    }

    private void draw(Graphics2D g) {
        g.setColor(Color.WHITE);
        // Rounded up like the picture itself, or its last row of pixels stays black.
        g.fill(new Rectangle2D.Double(0, 0, Math.ceil(width), Math.ceil(height)));
        for (Panel panel : panels) {
            panel.chart.draw(g, panel.area);
        }
    }
}
