package dev.semel.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("the locale")
class AlertSettingsTest {
  private final AlertSettings defaults = AlertSettings.defaults();

  @Test
  void limitsAreThoseOfTheFirstRequirements() {
    assertThat(defaults.of(AlertRule.ERROR_RATE).limit()).isEqualTo(5);
    assertThat(defaults.of(AlertRule.MEMORY).limit()).isEqualTo(80);
    assertThat(defaults.of(AlertRule.EXPIRY_BACKLOG).limit()).isEqualTo(1000);
    assertThat(defaults.of(AlertRule.OUTBOX_LAG).limit()).isEqualTo(300);
    assertThat(defaults.every()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void aLimitTakesTheWayBackAlong() {
    AlertThreshold set = defaults.with("outbox-lag=10m").of(AlertRule.OUTBOX_LAG);
    assertThat(set.limit()).isEqualTo(600);
    assertThat(set.calm()).isEqualTo(480);
    assertThat(set.clear()).isEqualTo(defaults.of(AlertRule.OUTBOX_LAG).clear());
  }

  @Test
  void everyPartCanBeSet() {
    AlertSettings set =
        defaults.with("error-rate=2.5%,after=30s,clear=2m,calm=1%  memory=off dead-letters=10");
    assertThat(set.of(AlertRule.ERROR_RATE))
        .isEqualTo(new AlertThreshold(true, 2.5, 1, Duration.ofSeconds(30), Duration.ofMinutes(2)));
    assertThat(set.of(AlertRule.MEMORY).on()).isFalse();
    assertThat(set.of(AlertRule.DEAD_LETTERS).limit()).isEqualTo(10);
    assertThat(set.of(AlertRule.FENCED)).isEqualTo(defaults.of(AlertRule.FENCED));
    assertThat(set.with("memory=90%").of(AlertRule.MEMORY).on()).isTrue();
  }

  @Test
  void theTextReadsBackAsItWas() {
    AlertSettings set =
        defaults.with("error-rate=2.5%,after=30s,calm=1% memory=off outbox-lag=1h30m");
    assertThat(defaults.with(set.text())).isEqualTo(set);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "outbox-lag",
        "outbox-lag=",
        "outbox-lag=10",
        "=10m",
        "no-such=1",
        "error-rate=101%",
        "error-rate=-1%",
        "error-rate=5%,calm=6%",
        "error-rate=5%,after",
        "error-rate=5%,since=3m",
        "memory=off,after=1m",
        "dead-letters=1.5",
        "dead-letters=99999999999999999999"
      })
  void whatMakesNoSenseIsRefused(String text) {
    assertThatThrownBy(() -> defaults.with(text)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void figuresAreWrittenAlikeInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(AlertUnit.PERCENT.brief(5)).isEqualTo("5 %");
      assertThat(AlertUnit.PERCENT.brief(2.5)).isEqualTo("2.5 %");
      assertThat(AlertUnit.COUNT.brief(1000)).isEqualTo("1,000");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void anUnknownNameIsToldTheKnownOnes() {
    assertThatThrownBy(() -> defaults.with("lag=1m"))
        .hasMessageContaining("\"lag\"")
        .hasMessageContaining("outbox-lag");
  }

  @Test
  void lookingMoreOftenThanEverySecondIsRefused() {
    assertThatThrownBy(() -> defaults.withEvery(Duration.ofMillis(999)))
        .isInstanceOf(InvalidInput.class);
  }
}
