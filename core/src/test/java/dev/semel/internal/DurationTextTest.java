package dev.semel.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("the locale")
class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "24h, PT24H",
    "7d, P7D",
    "1h30m, PT1H30M",
    "500ms, PT0.5S",
    "30s, PT30S",
    "PT5M, PT5M",
    "p2d, P2D",
    "1.5s, PT1.5S",
    "1.5h, PT1H30M",
    "0.000001ms, PT0.000000001S",
    "1d2h3m4s5ms, P1DT2H3M4.005S",
    "90m, PT1H30M",
    "36500d, P36500D"
  })
  void readsWhatPeopleWrite(String text, Duration expected) {
    assertThat(DurationText.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "30",
        "s",
        "h1",
        "1 h",
        " 1h",
        "1h ",
        "1h\n",
        "30m1h",
        "1h1h",
        "24H",
        "1y",
        "1,5s",
        ".5s",
        "1.s",
        "+5s",
        "-5s",
        "-PT5M",
        "P",
        "PT",
        "PT5X",
        "1e3s",
        "٣s",
        "0.0000001ms",
        "1h\u001b[31m",
        "five minutes"
      })
  void refusesGarbageAndShowsAnExample(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("1h30m")
        .message()
        .doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0h0m", "0ms", "PT0S", "PT-5M", "P-1D"})
  void refusesNothingAndLess(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("not longer than nothing")
        .hasMessageContaining("30s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "36500d1ms",
        "999999999999999999d",
        "999999999999999999ms",
        "200000000000000000d200000000000000000h",
        "P99999999999999D",
        "P999999999999999999D",
        "PT9999999999999999999H"
      })
  void refusesWhatIsTooLongInsteadOfWrappingAround(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("over the limit of 36500d");
  }

  @Test
  void refusesEndlessText() {
    assertThatThrownBy(() -> DurationText.parse("1".repeat(1_000_000) + "s"))
        .isInstanceOf(InvalidInput.class)
        .message()
        .hasSizeLessThan(300);
  }

  @ParameterizedTest
  @CsvSource({
    "PT23H14M, 23h14m",
    "PT1.5S, 1.5s",
    "PT0.25S, 250ms",
    "PT24H, 24h",
    "PT47H59M, 47h59m",
    "P2D, 2d",
    "P7D, 7d",
    "P2DT1H, 2d1h",
    "PT1M0.001S, 1m0.001s",
    "PT0.0003S, 0.3ms",
    "PT0.000000001S, 0.000001ms",
    "PT20S, 20s",
    "PT0S, 0s",
    "PT-90S, -1m30s"
  })
  void formatsExactly(Duration duration, String expected) {
    assertThat(DurationText.format(duration)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "PT23H14M59.999S, 23h14m",
    "PT23H0M59S, 23h",
    "P6DT23H59M59S, 6d23h",
    "PT59M59.9S, 59m59s",
    "PT1.58S, 1.5s",
    "PT0.25049S, 250.4ms",
    "PT0.00001S, 0s",
    "PT-90.5S, -1m30s"
  })
  void shortensToTheTwoLeadingUnitsForPeople(Duration duration, String expected) {
    assertThat(DurationText.brief(duration)).isEqualTo(expected);
  }

  @Test
  void readsBackWhatItFormatted() {
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < 20_000; i++) {
      long nanos = random.nextLong(1, 1L << random.nextInt(1, 62));
      Duration duration = Duration.ofNanos(nanos);
      assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
    }
  }

  @Test
  void doesNotDependOnTheMachinesLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(DurationText.format(Duration.ofMillis(5_430_500))).isEqualTo("1h30m30.5s");
      assertThat(DurationText.parse("1h30m30.5s")).isEqualTo(Duration.ofMillis(5_430_500));
    } finally {
      Locale.setDefault(before);
    }
  }
}
