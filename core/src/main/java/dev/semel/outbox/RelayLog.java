package dev.semel.outbox;

import dev.semel.internal.DurationText;
import dev.semel.log.internal.Log;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.outbox.spi.OutboxEntry;
import java.time.Duration;

/** Logs what operators must see of a relay, as {@code dev.semel.outbox}. */
final class RelayLog {
  private static final Log LOG = Log.of("outbox", 10);
  private static final Log OUTAGES = Log.of("outbox", 1);

  /** The broker refused one message; the others continue. */
  void failed(OutboxEntry message, int attempt, int maxAttempts, Exception reason) {
    boolean unused =
        LOG.warn(
            message.message().destination() + " failed",
            "message %s was not taken by %s, attempt %d of %d, and will be sent again"
                .formatted(
                    message.message().id(), message.message().destination(), attempt, maxAttempts),
            reason);
  }

  /** The message will not be sent again. */
  void dead(OutboxEntry message, int attempt, String reason) {
    LOG.warn(
        message.message().destination() + " dead",
        "message %s to %s is a dead letter after attempt %d: %s; what to do: docs/runbooks/dead-letters.md"
            .formatted(message.message().id(), message.message().destination(), attempt, reason));
  }

  /** The broker or the database can't be reached. */
  void troubled(String relay, Exception reason) {
    boolean written =
        OUTAGES.warn(
            "outage",
            "%s can't go on and will try again; what to do: docs/runbooks/outbox-lag.md"
                .formatted(relay),
            reason);
    LoopFailures.reportLogged("semel-relay", reason, written);
  }

  void recovered(String relay, Duration after) {
    OUTAGES.info("%s goes on after %s".formatted(relay, DurationText.brief(after)));
  }
}
