package dev.semel.inbox;

import dev.semel.inbox.internal.ConsumerLog;
import dev.semel.transport.spi.Delivery;
import java.time.Duration;

/** What a consumer tells of itself: counts, lines of its log, and its listener's calls. */
final class ConsumerReport {
  private final String consumer;
  private final ConsumerListener listener;
  private final ConsumerLog log;
  private volatile ConsumerCounts counts = ConsumerCounts.NONE;

  ConsumerReport(String consumer, ConsumerListener listener) {
    this.consumer = consumer;
    this.listener = listener;
    this.log = new ConsumerLog(consumer);
  }

  String consumer() {
    return consumer;
  }

  ConsumerCounts counts() {
    return counts;
  }

  void lag(long messages) {
    counts = counts.withLag(messages);
  }

  /** That became of a message; if it failed, nothing is said in the log yet. */
  void received(HandleResult how) {
    counts = counts.withReceived(how);
  }

  /** It will be handled again. */
  void failed(Delivery delivery, int maxAttempts, Exception reason) {
    log.failed(delivery.message(), delivery.attempt(), maxAttempts, reason);
  }

  void handled(Delivery delivery, HandleResult how) {
    listener.handled(delivery.message(), how);
  }

  /** A dead letter was kept. */
  void kept() {
    counts = counts.withDead();
  }

  /** It is a dead letter now. */
  void dead(Delivery delivery, String reason) {
    log.dead(delivery.message(), delivery.attempt(), reason);
    listener.buried(delivery.message(), reason);
  }

  void unconfirmed() {
    counts = counts.withUnconfirmed();
  }

  /** The broker or the database can't be reached. */
  void troubled(Exception reason) {
    log.troubled(reason);
    listener.troubled(reason);
  }

  /** A bug, which was logged where it was caught. */
  void broken(Exception reason) {
    listener.troubled(reason);
  }

  void recovered(Duration after) {
    log.recovered(after);
  }
}
