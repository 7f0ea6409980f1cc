package dev.semel.cli.serve;

import dev.semel.admin.AdminTargets;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertWatch;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.OpenTargets;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.loop.Platform;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.webhook.EventFeed;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.WebhookSender;
import dev.semel.webhook.WebhookSettings;
import java.util.List;
import java.util.Optional;

/** What a server does beside answering: watches an targets, and tells of it. */
final class ServerWatch implements AutoCloseable {
  private final OpenTargets opened;
  private final AdminTargets targets;
  private final List<WebhookSender> senders;
  private final AlertWatch alerts;
  private final ProcessEvents.Listening failures;
  private final Optional<EventFeed> feed;

  private ServerWatch(
      OpenTargets opened,
      AlertSettings settings,
      List<WebhookSender> senders,
      EventFeed.Filter events,
      SemelListener log) {
    this.opened = opened;
    this.senders = senders;
    this.alerts =
        AlertWatch.start(
            Platform.REAL,
            opened.targets().sources(),
            settings,
            alert -> {
              log.on(alert.event());
              senders.forEach(sender -> sender.tell(alert));
            });
    this.failures = ProcessEvents.listen(alerts.listener().and(log));
    this.targets = opened.targets().withWatch(alerts::alerts);
    this.feed =
        events.kinds().isEmpty() || senders.isEmpty()
            ? Optional.empty()
            : Optional.of(
                EventFeed.start(
                    Platform.REAL,
                    targets.store().events(),
                    events,
                    line -> senders.forEach(sender -> sender.tell(line))));
  }

  /** Opens what is to be watched, once it is known that all that was said makes sense. */
  static ServerWatch start(
      SemelCommand semel, AlertOptions options, String streamsUrl, DatabaseOption database) {
    AlertSettings settings = options.settings();
    List<Webhook> webhooks = options.webhooks(semel.around());
    EventFeed.Filter events = options.events();
    return new ServerWatch(
        OpenTargets.all(semel, semel.settings().ownStoreUrl(), streamsUrl, database),
        settings,
        webhooks.stream()
            .map(hook -> WebhookSender.start(Platform.REAL, hook, WebhookSettings.defaults()))
            .toList(),
        events,
        semel.listener());
  }

  /** What is watched, with its alerts. */
  AdminTargets targets() {
    return targets;
  }

  MetricsRoute metrics() {
    return MetricsRoute.of(
        Platform.REAL,
        targets.sources(),
        alerts::alerts,
        () -> senders.stream().map(WebhookSender::counts).toList());
  }

  @Override
  public void close() {
    feed.ifPresent(EventFeed::close);
    failures.close();
    alerts.close();
    senders.forEach(WebhookSender::close);
    opened.close();
  }
}
