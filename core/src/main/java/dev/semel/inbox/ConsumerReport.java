package dev.semel.inbox;

import dev.semel.inbox.internal.ConsumerLog;
import dev.semel.transport.spi.Delivery;
import java.time.Duration;

/** Reports for a consumer: counts, log lines, and calls of its listener. */
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

  /** Counts the result of a message; a failure is not logged here. */
  void received(HandleResult how) {
    counts = counts.withReceived(how);
  }

  /** The message will be handled again. */
  void failed(Delivery delivery, int maxAttempts, Exception reason) {
    log.failed(delivery.message(), delivery.attempt(), maxAttempts, reason);
  }

  void handled(Delivery delivery, HandleResult how) {
    listener.handled(delivery.message(), how);
  }

  /** Counts a dead letter that was kept. */
  void kept() {
    counts = counts.withDead();
  }

  /** The message is a dead letter now. */
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

  /** A bug; the code that caught it has logged it. */
  void broken(Exception reason) {
    listener.troubled(reason);
  }

  void recovered(Duration after) {
    log.recovered(after);
  }
}
