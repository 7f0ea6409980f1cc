package dev.semel.server;

import dev.semel.webhook.Webhook;
import dev.semel.webhook.WebhookSettings;
import dev.semel.webhook.internal.EventFeed;
import java.util.List;
import java.util.Set;

/**
 * Whom a server tells of alerts, and of events if any are chosen.
 *
 * @param webhooks each gets all of it
 * @param events lines of the store's event log that are told too
 * @param settings how patiently it is sent
 */
public record WebhookReceivers(
    List<Webhook> webhooks, EventFeed.Filter events, WebhookSettings settings) {
  /** Nobody is told. */
  public static final WebhookReceivers NONE = of(List.of());

  public WebhookReceivers {
    webhooks = List.copyOf(webhooks);
  }

  /** They are told of alerts alone. */
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
