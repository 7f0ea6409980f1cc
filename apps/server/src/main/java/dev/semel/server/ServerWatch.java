package dev.semel.server;

import dev.semel.admin.AdminTargets;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertWatch;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.loop.Platform;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.webhook.WebhookSender;
import dev.semel.webhook.internal.EventFeed;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Watches a server's targets, and sends alerts and events to the webhooks. */
final class ServerWatch implements AutoCloseable {
  private final List<WebhookSender> senders;
  private final Optional<AlertWatch> alerts;
  private final Optional<AdminTargets> targets;
  private final Optional<EventFeed> feed;
  private final ProcessEvents.Listening processes;

  private ServerWatch(ServerBackend backend) {
    WebhookReceivers told = backend.webhooks();
    SemelListener listener = backend.listener();
    this.senders =
        told.webhooks().stream()
            .map(hook -> WebhookSender.start(Platform.REAL, hook, told.settings()))
            .toList();
    this.alerts =
        backend
            .targets()
            .flatMap(there -> backend.alerts().map(limits -> watch(there, limits, listener)));
    this.targets =
        backend
            .targets()
            .map(there -> alerts.map(watch -> there.withWatch(watch::alerts)).orElse(there));
    this.feed =
        backend
            .targets()
            .filter(there -> !told.events().kinds().isEmpty() && !senders.isEmpty())
            .map(there -> follow(there, told.events()));
    this.processes =
        ProcessEvents.listen(alerts.map(watch -> watch.listener().and(listener)).orElse(listener));
  }

  static ServerWatch start(ServerBackend backend) {
    return new ServerWatch(backend);
  }

  private AlertWatch watch(AdminTargets watched, AlertSettings limits, SemelListener listener) {
    return AlertWatch.start(
        Platform.REAL,
        watched.sources(),
        limits,
        alert -> {
          listener.on(alert.event());
          senders.forEach(sender -> sender.tell(alert));
        });
  }

  private EventFeed follow(AdminTargets watched, EventFeed.Filter events) {
    return EventFeed.start(
        Platform.REAL,
        watched.store().events(),
        events,
        line -> senders.forEach(sender -> sender.tell(line)));
  }

  /** The targets, with the alerts of this watch. */
  Optional<AdminTargets> targets() {
    return targets;
  }

  Optional<MetricsRoute> metrics() {
    return targets.map(
        there ->
            MetricsRoute.of(
                Platform.REAL,
                there.sources(),
                () -> there.watch().map(Supplier::get).orElse(List.<Alert>of()),
                () -> senders.stream().map(WebhookSender::counts).toList()));
  }

  @Override
  public void close() {
    feed.ifPresent(EventFeed::close);
    processes.close();
    alerts.ifPresent(AlertWatch::close);
    senders.forEach(WebhookSender::close);
  }
}
