package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeStyleTest {

    private static double seconds(String iso) {
        OffsetDateTime time = OffsetDateTime.parse(iso);
        return time.toEpochSecond() + time.getNano() * 1e-9;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    yyyy-MM-dd HH:mm:ss        | 2016-07-01 13:00:05        | 2016-07-01T13:00:05Z
                    yyyy-MM-dd HH:mm           | 2016-07-01 13:00           | 2016-07-01T13:00:00Z
                    yyyy-MM-dd'T'HH:mm:ssXXX   | 2016-07-01T13:00:05Z       | 2016-07-01T13:00:05Z
                    yyyy-MM-dd HH:mm:ss.SSS    | 2016-07-01 13:00:05.250    | 2016-07-01T13:00:05.250Z
                    yyyy-MM-dd HH:mm:ss.SSSSSS | 2016-07-01 13:00:05.000250 | 2016-07-01T13:00:05.000250Z
                    yyyy-MM-dd                 | 1958-03-29                 | 1958-03-29T00:00:00Z
                    yyyy-MM                    | 1749-01                    | 1749-01-01T00:00:00Z
                    yyyy/M/d H:mm              | 2020/2/29 7:05             | 2020-02-29T07:05:00Z
                    d.M.yyyy H:mm:ss           | 9.11.1989 18:53:00         | 1989-11-09T18:53:00Z
                    dd.MM.yyyy                 | 09.11.1989                 | 1989-11-09T00:00:00Z
                    M/d/yyyy h:mm a            | 7/4/2021 12:30 AM          | 2021-07-04T00:30:00Z
                    M/d/yyyy h:mm a            | 7/4/2021 12:30 PM          | 2021-07-04T12:30:00Z
                    M/d/yyyy h:mm:ss a         | 12/31/2021 11:59:59 PM     | 2021-12-31T23:59:59Z
                    dd-MMM-yyyy                | 09-Nov-1989                | 1989-11-09T00:00:00Z
                    yyyyMMdd                   | 20130101                   | 2013-01-01T00:00:00Z
                    yyyy-MM-dd HH:mm:ss 'UTC'  | 2016-07-01 13:00:05 UTC    | 2016-07-01T13:00:05Z
                    yyyyMMddHHmm               | 201301011845               | 2013-01-01T18:45:00Z
                    EEE, d MMM yyyy HH:mm:ss Z | Mon, 3 Feb 2020 10:00:00 +0000 | 2020-02-03T10:00:00Z
                    """)
    void datesOfAllPatternsAreReadAndWritten(String pattern, String text, String iso) {
        TimeStyle style = TimeStyle.ofPattern(pattern);
        assertThat(style.isDated()).isTrue();
        assertThat(style.read(text)).isEqualTo(seconds(iso));
        assertThat(style.format(seconds(iso))).isEqualTo(text);
        assertThat(TimeStyle.parse(style.text())).isEqualTo(style);
        assertThat(style.text()).matches("[ -~]*").doesNotContain("'", "\"", ",", "%");
    }

    /** What stands in its usual place is read faster; with a blank before it a text is read the other way. */
    @Test
    void theUsualPlacesGiveWhatEveryOtherWayGives() {
        TimeStyle style = TimeStyle.ofPattern("yyyy-MM-dd HH:mm:ss");
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 20_000; i++) {
            double time = random.nextLong(-30_000_000_000L, 30_000_000_000L);
            String text = style.format(time).replace(' ', i % 2 == 0 ? ' ' : 'T');
            assertThat(style.read(text)).as(text).isEqualTo(time);
            char[] changed = text.toCharArray();
            changed[random.nextInt(changed.length)] = "0123456789-: T.Z/x".charAt(random.nextInt(18));
            String odd = new String(changed);
            assertThat((Double) style.read(odd)).as(odd).isEqualTo((Double) style.read(" " + odd));
        }
        assertThat(style.read("2021-02-29 00:00:00")).isNaN();
        assertThat(style.read("2020-02-29 24:00:00")).isEqualTo(seconds("2020-03-01T00:00:00Z"));
    }

    /** Files drop the midnight, the seconds, zeros; a pattern stands for all of them. */
    @ParameterizedTest
    @CsvSource({
        "2020-01-02, 2020-01-02T00:00:00Z",
        "2020-1-2 3:04, 2020-01-02T03:04:00Z",
        "2020-01-02T03:04:05.5, 2020-01-02T03:04:05.5Z",
        "2020-01-02 03:04:05+02:00, 2020-01-02T01:04:05Z",
        "2020-01-02 03:04:05-0230, 2020-01-02T05:34:05Z",
        "2020-01-02 03:04:05+02, 2020-01-02T01:04:05Z",
        "2020-01-02 24:00:00, 2020-01-03T00:00:00Z",
        "' 2020-01-02 03:04:05 ', 2020-01-02T03:04:05Z"
    })
    void readingIsNotStrict(String text, String iso) {
        assertThat(TimeStyle.ofPattern("yyyy-MM-dd HH:mm:ss").read(text)).isEqualTo(seconds(iso));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2020",
                "2020-13-01",
                "2020-02-30",
                "2021-02-29",
                "1900-02-29",
                "2020-01-02 25:00",
                "2020-01-02 03:60",
                "2020-01-02 13:00 PM",
                "2020-01-02 03:04:05 x",
                "2020-01-02x",
                "20-01-02",
                "2020/01/02",
                "2020-01-02 03",
                "2020-01-02 24:01"
            })
    void whatIsNoSuchTimeIsNaN(String text) {
        assertThat(TimeStyle.ofPattern("yyyy-MM-dd HH:mm:ss").read(text)).isNaN();
    }

    /** A forecast between two days must not be written as one of them. */
    @Test
    void timesBetweenThoseOfThePatternAreWrittenWithMoreDigits() {
        TimeStyle days = TimeStyle.ofPattern("yyyy-MM-dd");
        assertThat(days.format(seconds("2020-01-02T12:00:00Z"))).isEqualTo("2020-01-02 12:00:00");
        assertThat(TimeStyle.ofPattern("yyyy-MM-dd HH:mm").format(seconds("2020-01-02T12:00:00.5Z")))
                .isEqualTo("2020-01-02 12:00:00.5");
        assertThat(TimeStyle.ofPattern("yyyy-MM").format(seconds("2020-01-02T00:00:00Z")))
                .isEqualTo("2020-01-02");
        assertThat(days.format(seconds("2020-01-02T00:00:00Z") - 1e-7)).isEqualTo("2020-01-02");
        assertThat(days.format(Double.NaN)).isEqualTo("NaN");
    }

    @Test
    void timesAreWrittenInTheirZone() {
        TimeStyle style = TimeStyle.ofPattern("yyyy-MM-dd HH:mmXXX").in(ZoneOffset.ofHours(2));
        assertThat(style.format(seconds("2020-01-02T23:30:00Z"))).isEqualTo("2020-01-03 01:30+02:00");
        assertThat(TimeStyle.parse(style.text())).isEqualTo(style).hasSameHashCodeAs(style);
        assertThat(style).isNotEqualTo(TimeStyle.ofPattern("yyyy-MM-dd HH:mmXXX"));
    }

    @Test
    void numbersHaveAUnitOrNone() {
        assertThat(TimeStyle.NUMBER.isDated()).isFalse();
        assertThat(TimeStyle.NUMBER.read("0.25")).isEqualTo(0.25);
        assertThat(TimeStyle.NUMBER.format(3)).isEqualTo("3");
        assertThat(TimeStyle.NUMBER.format(0.25)).isEqualTo("0.25");
        double time = seconds("2020-01-02T03:04:05Z");
        assertThat(TimeStyle.EPOCH_SECONDS.read("1577934245")).isEqualTo(time);
        assertThat(TimeStyle.EPOCH_MILLIS.read("1577934245000")).isEqualTo(time);
        assertThat(TimeStyle.EPOCH_MICROS.read("1577934245000000")).isEqualTo(time);
        assertThat(TimeStyle.EPOCH_NANOS.read("1577934245000000000")).isEqualTo(time);
        assertThat(TimeStyle.EPOCH_MILLIS.format(time + 0.25)).isEqualTo("1577934245250");
        assertThat(TimeStyle.EPOCH_NANOS.format(time)).isEqualTo("1577934245000000000");
        assertThat(TimeStyle.EPOCH_SECONDS.format(time + 0.5)).isEqualTo("1577934245.5");
        assertThat(TimeStyle.NUMBER.read("soon")).isNaN();
        for (TimeStyle style : new TimeStyle[] {TimeStyle.NUMBER, TimeStyle.EPOCH_SECONDS, TimeStyle.EPOCH_NANOS}) {
            assertThat(TimeStyle.parse(style.text())).isSameAs(style);
        }
    }

    @Test
    void whatIsNoStyleIsRefused() {
        assertThatThrownBy(() -> TimeStyle.ofPattern("yyyy-qqqqqq-{"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("yyyy-MM-dd HH:mm:ss");
        for (String text : new String[] {"", "epoch", "date", "date x yyyy", "date - ~12", "date - {"}) {
            assertThatThrownBy(() -> TimeStyle.parse(text)).isInstanceOf(InvalidConfigException.class);
        }
    }
}
