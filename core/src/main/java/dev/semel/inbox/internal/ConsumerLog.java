package dev.semel.inbox.internal;

import dev.semel.inbox.MessageConsumer;
import dev.semel.internal.DurationText;
import dev.semel.log.internal.Log;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.transport.Message;
import java.time.Duration;

/**
 * Logs what operators must see of a consumer, as {@code dev.semel.inbox}. Also for consumers other
 * than {@link MessageConsumer}, such as a database's worker.
 */
public final class ConsumerLog {
  private static final Log LOG = Log.of("inbox", 10);
  private static final Log OUTAGES = Log.of("inbox", 1);

  private final String consumer;

  public ConsumerLog(String consumer) {
    this.consumer = consumer;
  }

  /** The handler failed, and will be called again. */
  public void failed(Message message, long attempt, int maxAttempts, Exception reason) {
    boolean unused =
        LOG.warn(
            consumer + " failed",
            "consumer %s: the handler failed on message %s of %s, attempt %d of %d, and will be called again"
                .formatted(consumer, message.id(), message.destination(), attempt, maxAttempts),
            reason);
  }

  /** The message will not be tried again. */
  public void dead(Message message, long attempt, String reason) {
    LOG.warn(
        consumer + " dead",
        "consumer %s: message %s of %s is a dead letter after attempt %d: %s; what to do: docs/runbooks/dead-letters.md"
            .formatted(consumer, message.id(), message.destination(), attempt, reason));
  }

  /** The broker or the database can't be reached. */
  public void troubled(Exception reason) {
    boolean written =
        OUTAGES.warn(
            consumer + " outage",
            "consumer %s can't go on and will try again; what to do: docs/runbooks/store-away.md"
                .formatted(consumer),
            reason);
    LoopFailures.reportLogged("semel-consumer", reason, written);
  }

  public void recovered(Duration after) {
    OUTAGES.info("consumer %s goes on after %s".formatted(consumer, DurationText.brief(after)));
  }
}
