package dev.semel.outbox;

import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishResult;
import java.time.Duration;

/** Reports for a relay: counts, log lines, and calls of its listener. */
final class RelayReport {
  private final RelayListener listener;
  private final RelayLog log = new RelayLog();
  private volatile RelayCounts counts = RelayCounts.NONE;

  RelayReport(RelayListener listener) {
    this.listener = listener;
  }

  RelayCounts counts() {
    return counts;
  }

  void inFlight(int messages) {
    counts = counts.withInFlight(messages);
  }

  void published(OutboxEntry message, PublishResult published) {
    listener.published(message, published);
  }

  /** A batch ended; the broker confirmed this many messages. */
  void confirmed(int messages, long duplicates) {
    counts = counts.withPublished(messages, duplicates);
  }

  /** The message will be sent again. */
  void failed(OutboxEntry message, int maxAttempts, PublishFailed reason) {
    counts = counts.withFailed(false);
    log.failed(message, message.attempts() + 1, maxAttempts, reason);
    listener.failed(message, String.valueOf(reason.getMessage()), false);
  }

  /** The message will not be sent again. */
  void dead(OutboxEntry message, PublishFailed reason) {
    counts = counts.withFailed(true);
    String why = String.valueOf(reason.getMessage());
    log.dead(message, message.attempts() + 1, why);
    listener.failed(message, why, true);
  }

  /** The broker or the database can't be reached. */
  void troubled(String relay, Exception reason) {
    log.troubled(relay, reason);
    listener.troubled(reason);
  }

  /** A bug; the code that caught it has logged it. */
  void broken(Exception reason) {
    listener.troubled(reason);
  }

  void recovered(String relay, Duration after) {
    log.recovered(relay, after);
  }
}
