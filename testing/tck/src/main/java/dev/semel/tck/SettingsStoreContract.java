package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.SettingsStore.Stored;
import dev.semel.internal.Ids;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Everything that {@link SettingsStore} promises. Extend it to test a store. */
public abstract class SettingsStoreContract extends ContractWords {
  private static final int WRITERS = 8;

  private final Operation operation = new Operation("op-" + Ids.uuid7());

  private SettingsStore settings() {
    return store().store().settings();
  }

  @Test
  void whatIsWrittenIsRead() {
    String text = "{\"lease\":\"30s\",\"note\":\"größe 🎉 'x' \\\\\"}";
    assertThat(settings().write(operation, 0, text)).isTrue();
    assertThat(settings().readAll()).containsEntry(operation, new Stored(1, text));
  }

  @Test
  void eachWriteIsANewVersion() {
    settings().write(operation, 0, "{}");
    assertThat(settings().write(operation, 1, "{\"mode\":\"off\"}")).isTrue();
    assertThat(settings().readAll()).containsEntry(operation, new Stored(2, "{\"mode\":\"off\"}"));
  }

  @Test
  void aWriteAfterSomeoneElsesIsRefused() {
    settings().write(operation, 0, "{}");
    assertThat(settings().write(operation, 0, "{\"mode\":\"off\"}")).isFalse();
    assertThat(settings().write(operation, 2, "{\"mode\":\"off\"}")).isFalse();
    assertThat(settings().readAll()).containsEntry(operation, new Stored(1, "{}"));
  }

  @Test
  void aWriteOfAVersionThatNeverWasIsRefused() {
    assertThat(settings().write(operation, 3, "{}")).isFalse();
    assertThat(settings().readAll()).doesNotContainKey(operation);
  }

  @Test
  void ofManyWritersOneWins() {
    for (long version = 0; version < store().raceRounds(); version++) {
      long seen = version;
      List<Boolean> won =
          Racers.onPlatformThreads(
              WRITERS, racer -> settings().write(operation, seen, "{\"racer\":\"" + racer + "\"}"));
      assertThat(Collections.frequency(won, true)).isEqualTo(1);
      assertThat(settings().readAll())
          .containsEntry(
              operation, new Stored(seen + 1, "{\"racer\":\"" + won.indexOf(true) + "\"}"));
    }
  }

  @Test
  void theLongestTextFits() {
    String text = "{\"x\":\"" + "y".repeat(SettingsStore.MAX_TEXT_BYTES - 8) + "\"}";
    assertThat(settings().write(operation, 0, text)).isTrue();
    assertThat(settings().readAll()).containsEntry(operation, new Stored(1, text));
  }
}
