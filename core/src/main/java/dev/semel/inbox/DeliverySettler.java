package dev.semel.inbox;

import dev.semel.loop.internal.Backoff;
import dev.semel.transport.spi.Delivery;

/**
 * Decides what follows from the result of a message: it is done, it comes again after a pause, or
 * it is a dead letter. For the consumer's thread.
 */
final class DeliverySettler {
  private static final String IN_DOUBT =
      "in doubt: its handler was started before, and nobody knows how that ended";

  private final ConsumerRoute route;
  private final ConsumerSettings settings;
  private final ConsumerReport report;

  DeliverySettler(ConsumerRoute route, ConsumerSettings settings, ConsumerReport report) {
    this.route = route;
    this.settings = settings;
    this.report = report;
  }

  /** True: the message is done, and must be acknowledged. */
  boolean settle(Delivery delivery, HandleResult how) {
    boolean over =
        switch (how) {
          case HandleResult.Done d -> true;
          case HandleResult.Duplicate d -> true;
          case HandleResult.HeldBack h -> retry(delivery);
          case HandleResult.InDoubt d -> bury(delivery, reason(how));
          case HandleResult.Failed f ->
              (f.forGood() || delivery.attempt() >= settings.maxAttempts())
                  ? bury(delivery, reason(how))
                  : retry(delivery);
        };
    report.received(how);
    if (how instanceof HandleResult.Failed failed && !over) {
      report.failed(delivery, settings.maxAttempts(), failed.reason());
    }
    report.handled(delivery, how);
    if (over && !how.isOver()) {
      report.dead(delivery, reason(how));
    }
    return over;
  }

  private static String reason(HandleResult how) {
    return how instanceof HandleResult.Failed failed ? String.valueOf(failed.reason()) : IN_DOUBT;
  }

  /** Has the message delivered again; always false. */
  boolean retry(Delivery delivery) {
    delivery.retry(
        Backoff.pause(
            settings.firstPause(),
            settings.longestPause(),
            delivery.attempt(),
            route.platform()::random));
    return false;
  }

  private boolean bury(Delivery delivery, String reason) {
    try {
      route.deadLetters().keep(report.consumer(), delivery.message(), delivery.attempt(), reason);
    } catch (RuntimeException e) { // no failure may hold up other messages
      report.troubled(e);
      return retry(delivery);
    }
    report.kept();
    return true;
  }
}
