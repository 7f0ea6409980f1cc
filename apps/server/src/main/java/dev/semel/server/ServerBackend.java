package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.alert.AlertSettings;
import dev.semel.event.SemelListener;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.spi.Streams;
import dev.semel.webhook.Webhook;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a server serves, and does for it. Streams alone are enough; with targets there are the admin
 * API, the control center's page and metrics too. All of it belongs to whoever opened it, and is
 * closed by them, after the server.
 *
 * @param targets what operators look at
 * @param alerts when the targets are found to need someone; empty: nobody watches them here. Where
 *     several servers have the same targets, one that watches is enough
 * @param webhooks whom alerts and events are told to
 * @param backups the folder of the backups that operators ask for; empty: none are made
 * @param details what operators are shown of how the server was set up, beside its settings; holds
 *     no secrets
 * @param listener hears of alerts, and of what concerns the process as a whole
 */
public record ServerBackend(
    Streams streams,
    Optional<AdminTargets> targets,
    Optional<AlertSettings> alerts,
    WebhookReceivers webhooks,
    Optional<Path> backups,
    JsonObject details,
    SemelListener listener) {
  /** Streams alone. */
  public static ServerBackend of(Streams streams) {
    return new ServerBackend(
        streams,
        Optional.empty(),
        Optional.empty(),
        WebhookReceivers.NONE,
        Optional.empty(),
        Json.object().build(),
        SemelListener.NONE);
  }

  /** With the admin API, the control center's page and metrics. */
  public ServerBackend withTargets(AdminTargets administered) {
    return new ServerBackend(
        streams, Optional.of(administered), alerts, webhooks, backups, details, listener);
  }

  /** Watches the targets. */
  public ServerBackend withAlerts(AlertSettings limits) {
    return new ServerBackend(
        streams, targets, Optional.of(limits), webhooks, backups, details, listener);
  }

  /** Tells them of alerts. */
  public ServerBackend withWebhooks(Webhook... receivers) {
    return withWebhooks(WebhookReceivers.of(List.of(receivers)));
  }

  public ServerBackend withWebhooks(WebhookReceivers receivers) {
    return new ServerBackend(streams, targets, alerts, receivers, backups, details, listener);
  }

  /** Has operators make backups in this folder of what is kept in files. */
  public ServerBackend withBackups(Path folder) {
    return new ServerBackend(
        streams, targets, alerts, webhooks, Optional.of(folder), details, listener);
  }

  public ServerBackend withDetails(JsonObject shown) {
    return new ServerBackend(streams, targets, alerts, webhooks, backups, shown, listener);
  }

  public ServerBackend withListener(SemelListener hears) {
    return new ServerBackend(streams, targets, alerts, webhooks, backups, details, hears);
  }

  /** Throws where something was asked for that would never happen. */
  void check() {
    boolean needs = alerts.isPresent() || !webhooks.webhooks().isEmpty() || backups.isPresent();
    if (needs && targets.isEmpty()) {
      throw new InvalidInput(
          "alerts, webhooks and backups are of targets, and there are none: use withTargets");
    }
    if (!webhooks.webhooks().isEmpty() && alerts.isEmpty() && webhooks.events().kinds().isEmpty()) {
      throw new InvalidInput("webhooks would be told of nothing: use withAlerts, or choose events");
    }
  }
}
