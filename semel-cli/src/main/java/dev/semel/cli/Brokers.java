package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.nats.JetStreamTransport;
import dev.semel.transport.Transport;
import java.util.Locale;

/** Where a broker's URL becomes a way to it; the only place that knows which brokers there are. */
final class Brokers {
  private Brokers() {}

  /**
   * As it was set up by others: nothing is created.
   *
   * @param url may hold a user and password, which are never shown
   * @param destination that is looked at
   * @throws dev.semel.StoreException it can't be reached, or has no such destination
   */
  static Transport existing(String url, String destination) {
    String scheme = url.substring(0, Math.max(0, url.indexOf("://"))).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "nats", "tls" -> JetStreamTransport.existing(url, destination);
      default ->
          throw new InvalidInput(
              "the broker's URL begins with no scheme that is known here: it looks like nats://127.0.0.1:4222");
    };
  }
}
