package io.koopstream.cli.plot;

import java.awt.Color;
import java.util.List;
import org.jfree.chart.renderer.PaintScale;

/** The colours of all pictures, chosen so that readers who confuse red with green can tell them apart. */
final class Palette {

    /** The eight colours of Okabe and Ito, without the yellow that fades on white paper. */
    private static final Color[] DISTINCT = {
        new Color(0x0072B2),
        new Color(0xE69F00),
        new Color(0x009E73),
        new Color(0xCC79A7),
        new Color(0x56B4E9),
        new Color(0xD55E00),
        new Color(0x666666)
    };

    /** Dark blue over white to dark orange: the sign is the hue, the size is the depth. */
    private static final List<Color> DIVERGING = List.of(
            new Color(0x0B3C6F),
            new Color(0x2F79B5),
            new Color(0x8CC0DD),
            new Color(0xF7F7F7),
            new Color(0xFDC382),
            new Color(0xE0741B),
            new Color(0x7F3608));

    /** Dark violet over green to yellow, rising evenly in lightness, so that it also works in grey. */
    private static final List<Color> SEQUENTIAL = List.of(
            new Color(0x440154),
            new Color(0x414487),
            new Color(0x2A788E),
            new Color(0x22A884),
            new Color(0x7AD151),
            new Color(0xFDE725));

    static final Color INK = new Color(0x222222);
    static final Color FAINT = new Color(0xBBBBBB);
    static final Color EMPTY = new Color(0xE4E4E4);

    private Palette() {}

    /** Colour number i of those told apart at a glance; they repeat after seven. */
    static Color distinct(int i) {
        return DISTINCT[i % DISTINCT.length];
    }

    /** Signed values from −limit to limit; NaN is grey. */
    static PaintScale diverging(double limit) {
        return new Scale(-limit, limit, DIVERGING);
    }

    /** Values from low to high. */
    static PaintScale sequential(double low, double high) {
        return new Scale(low, high, SEQUENTIAL);
    }

    /** A lighter version of a colour, for areas behind marks. */
    static Color light(Color color) {
        return mix(Color.WHITE, color, 0.45);
    }

    private static Color mix(Color a, Color b, double share) {
        return new Color(
                channel(a.getRed(), b.getRed(), share),
                channel(a.getGreen(), b.getGreen(), share),
                channel(a.getBlue(), b.getBlue(), share));
    }

    private static int channel(int a, int b, double share) {
        return (int) Math.round(a + (b - a) * share);
    }

    private record Scale(double low, double high, List<Color> stops) implements PaintScale {

        @Override
        public double getLowerBound() {
            return low;
        }

        @Override
        public double getUpperBound() {
            return high;
        }

        @Override
        public Color getPaint(double value) {
            if (Double.isNaN(value)) {
                return EMPTY;
            }
            double position = Math.min(1, Math.max(0, (value - low) / (high - low))) * (stops.size() - 1);
            int stop = Math.min((int) position, stops.size() - 2);
            return mix(stops.get(stop), stops.get(stop + 1), position - stop);
        }
    }
}
