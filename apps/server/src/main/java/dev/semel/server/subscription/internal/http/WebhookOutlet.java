package dev.semel.server.subscription.internal.http;

import io.vertx.core.http.HttpClientOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Options and name resolution for the connections of webhooks.
 *
 * @param options how connections are made, beside what is fixed
 * @param resolver may block
 */
public record WebhookOutlet(HttpClientOptions options, Resolver resolver) {
  /** Resolves host names. */
  public interface Resolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  public static WebhookOutlet ofThisMachine() {
    return new WebhookOutlet(
        new HttpClientOptions(), host -> List.of(InetAddress.getAllByName(host)));
  }
}
