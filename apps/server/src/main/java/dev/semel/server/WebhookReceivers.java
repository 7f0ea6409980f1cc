package dev.semel.server;

import dev.semel.webhook.Webhook;
import dev.semel.webhook.WebhookSettings;
import dev.semel.webhook.internal.EventFeed;
import java.util.List;
import java.util.Set;

/**
 * Receivers of a server's alerts and, if chosen, of events, which you pass to {@link
 * ServerBackend#withWebhooks}.
 *
 * @param webhooks each one gets all of it
 * @param events which lines of the store's event log to send beside alerts
 * @param settings timeout, pauses and limits of deliveries
 */
public record WebhookReceivers(
    List<Webhook> webhooks, EventFeed.Filter events, WebhookSettings settings) {
  /** No receivers. */
  public static final WebhookReceivers NONE = of(List.of());

  public WebhookReceivers {
    webhooks = List.copyOf(webhooks);
  }

  /** Sends them alerts alone. */
  public static WebhookReceivers of(List<Webhook> webhooks) {
    return new WebhookReceivers(
        webhooks, new EventFeed.Filter(Set.of(), Set.of()), WebhookSettings.defaults());
  }

  public WebhookReceivers withEvents(EventFeed.Filter chosen) {
    return new WebhookReceivers(webhooks, chosen, settings);
  }

  public WebhookReceivers withSettings(WebhookSettings other) {
    return new WebhookReceivers(webhooks, events, other);
  }
}
