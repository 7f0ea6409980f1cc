package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxSettingsTest {
  @Test
  void theLargestPayloadIsTheApplicationsToSay(@TempDir Path folder) {
    OutboxSettings small = OutboxSettings.defaults().withMaxPayloadBytes(4);
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
        JdbcOutbox outbox = JdbcOutbox.on(store, small)) {
      outbox.executeWithMessages(connection -> List.of(Message.of("orders", "four")));
      assertThatThrownBy(
              () -> outbox.executeWithMessages(c -> List.of(Message.of("orders", "fives"))))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("5 bytes long and the limit is 4 (maxPayloadBytes)");
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    OutboxSettings settings = OutboxSettings.defaults();
    assertThatThrownBy(() -> settings.withMaxPayloadBytes(0)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> settings.withKeepHistory(Duration.ofNanos(1)))
        .isInstanceOf(InvalidInput.class);
  }
}
