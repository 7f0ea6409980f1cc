package dev.semel.event.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("listens to loggers of the process")
final class EventLogTest {
  private static final Logger LOGGER = Logger.getLogger("dev.semel");

  private final List<LogRecord> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(handler);
  }

  private static Key key(String operation) {
    return new Key(Tenant.DEFAULT, new Operation(operation), "ann@example.com");
  }

  @Test
  void whatAnOperatorMustHearIsAWarningThatSaysWhatToDo() {
    new EventLog(key -> false).on(new Event.TakenOver(key("taken"), "req-7", 2));
    assertThat(lines)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.WARNING);
              assertThat(line.getLoggerName()).isEqualTo("dev.semel.idempotency");
              assertThat(line.getMessage())
                  .isEqualTo(
                      "taken over %s, attempt=2, request=req-7; what to do: docs/runbooks/in-doubt.md"
                          .formatted(key("taken").text()));
            });
  }

  @Test
  void idsOfMaskedOperationsAreHashes() {
    new EventLog(key -> true).on(new Event.StoreFailed(key("masked"), "ann", "claim", "for ann"));
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).getMessage()).doesNotContain("ann").contains("masked-");
  }

  @Test
  void theUsualIsNotLogged() {
    EventLog log = new EventLog(key -> false);
    log.on(new Event.Claimed(key("usual"), "", 1));
    log.on(new Event.Completed(key("usual"), "", 1, Duration.ZERO, 1));
    log.on(
        new Event.Replayed(
            key("usual"), "", new FirstExecution("", 1, Duration.ZERO, Duration.ofDays(1))));
    assertThat(lines).isEmpty();
  }

  @Test
  void manyOfAKindAreLimited() {
    EventLog log = new EventLog(key -> false);
    for (int i = 0; i < 1000; i++) {
      log.on(new Event.Fenced(key("many"), "", 1, "renew"));
    }
    assertThat(lines).hasSize(EventLog.LINES_PER_MINUTE);
  }
}
