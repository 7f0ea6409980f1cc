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
 * The streams and other parts that a server serves; build one with {@link #of} and pass it to
 * {@link SemelServer#start}. Streams alone are enough; targets add the admin API, the control
 * center's page and metrics. The caller owns all of it, and closes it after the server.
 *
 * @param targets the store, and the messages and jobs beside it, that operators administer
 * @param alerts limits for the targets' values; empty: this server does not watch them. If several
 *     servers have the same targets, let one of them watch
 * @param webhooks receivers of alerts and events
 * @param backups folder for the backups that operators request; empty: the server makes none
 * @param details configuration that operators see beside the settings; must hold no secrets
 * @param listener gets alerts, and the events of the process as a whole
 */
public record ServerBackend(
    Streams streams,
    Optional<AdminTargets> targets,
    Optional<AlertSettings> alerts,
    WebhookReceivers webhooks,
    Optional<Path> backups,
    JsonObject details,
    SemelListener listener) {
  /** Serves streams alone. */
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

  /** Adds the admin API, the control center's page and metrics. */
  public ServerBackend withTargets(AdminTargets administered) {
    return new ServerBackend(
        streams, Optional.of(administered), alerts, webhooks, backups, details, listener);
  }

  /** Watches the targets, and raises alerts at these limits. */
  public ServerBackend withAlerts(AlertSettings limits) {
    return new ServerBackend(
        streams, targets, Optional.of(limits), webhooks, backups, details, listener);
  }

  /** Sends alerts to these receivers. */
  public ServerBackend withWebhooks(Webhook... receivers) {
    return withWebhooks(WebhookReceivers.of(List.of(receivers)));
  }

  public ServerBackend withWebhooks(WebhookReceivers receivers) {
    return new ServerBackend(streams, targets, alerts, receivers, backups, details, listener);
  }

  /** Lets operators back up into this folder what the server keeps in files. */
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

  /** Throws if a feature is configured that could never work, such as alerts without targets. */
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
