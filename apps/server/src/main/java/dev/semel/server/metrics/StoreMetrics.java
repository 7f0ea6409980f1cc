package dev.semel.server.metrics;

import dev.semel.Operation;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSources;
import dev.semel.alert.internal.AlertSampler;
import dev.semel.idempotency.internal.ClockSkew;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobOperations;
import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ServerConnections;
import dev.semel.webhook.WebhookCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Reads all metrics of a store and writes them. For one thread at a time. */
final class StoreMetrics {
  /** Pause between readings that count every record. */
  static final Duration DEAR = Duration.ofSeconds(30);

  private static final double MILLIS = 1000;
  private static final double NANOS = 1e9;

  /** Sources of this process, beside the store. */
  record Own(
      Supplier<List<Alert>> alerts,
      Supplier<List<WebhookCounts>> webhooks,
      Supplier<Optional<StreamMetrics.Sample>> streams,
      Optional<Callers> callers) {}

  /** Callers' connections, and the bytes held for them. */
  record Callers(ServerConnections connections, MemoryBudget budget) {}

  private final Platform platform;
  private final AlertSources sources;
  private final Own own;
  private final CachedReading<KeyCatalog.Usage> usage;
  private final CachedReading<InboxOperations.Status> inbox;

  StoreMetrics(Platform platform, AlertSources sources, Own own) {
    this.platform = platform;
    this.sources = sources;
    this.own = own;
    this.usage = new CachedReading<>(platform, DEAR, () -> sources.store().catalog().usage());
    this.inbox = new CachedReading<>(platform, DEAR, () -> sources.inbox().orElseThrow().status());
  }

  /** Returns a copy with metrics of streams; its readings begin anew. */
  StoreMetrics with(Supplier<Optional<StreamMetrics.Sample>> streams) {
    return new StoreMetrics(
        platform, sources, new Own(own.alerts(), own.webhooks(), streams, own.callers()));
  }

  /** Returns a copy with metrics of callers' connections. */
  StoreMetrics with(ServerConnections connections, MemoryBudget budget) {
    return new StoreMetrics(
        platform,
        sources,
        new Own(
            own.alerts(),
            own.webhooks(),
            own.streams(),
            Optional.of(new Callers(connections, budget))));
  }

  String scrape() {
    long began = platform.nanos();
    PrometheusText out = new PrometheusText();
    Optional<Map<Scope, DecisionCounts>> counts =
        CachedReading.read(() -> sources.store().statistics().read());
    out.gauge("semel_store_up", "Whether the store could be read")
        .sample(counts.isPresent() ? 1 : 0);
    counts.ifPresent(read -> executions(out, read));
    if (counts.isPresent()) {
      records(out);
      sources.outbox().flatMap(o -> CachedReading.read(o::status)).ifPresent(s -> outbox(out, s));
      sources.jobs().flatMap(j -> CachedReading.read(j::counts)).ifPresent(c -> jobs(out, c));
      sources.inbox().ifPresent(i -> inbox(out, i));
    }
    disks(out);
    alerts(out);
    webhooks(out);
    CachedReading.read(own.streams())
        .flatMap(sample -> sample)
        .ifPresent(sample -> StreamMetrics.write(out, sample));
    own.callers()
        .ifPresent(
            callers -> {
              ConnectionMetrics.write(out, callers.connections());
              ConnectionMetrics.write(out, callers.budget());
            });
    LoopMetrics.write(out);
    out.gauge("semel_scrape_seconds", "How long it took to read all this")
        .sample((platform.nanos() - began) / NANOS);
    return out.text();
  }

  private static void executions(PrometheusText out, Map<Scope, DecisionCounts> counts) {
    OperationMetrics.write(out, counts);
    DecisionCounts total =
        counts.values().stream().reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    out.gauge(
            "semel_hit_rate_percent",
            "Duplicates among all requests, since the statistics were reset")
        .sample(100 * total.hitRate());
  }

  private void records(PrometheusText out) {
    Store store = sources.store();
    usage
        .get()
        .ifPresent(
            held -> {
              number(out, "semel_active_keys", "Records that are kept", held.activeKeys());
              number(out, "semel_storage_usage_bytes", "What the records take up", held.bytes());
            });
    CachedReading.read(() -> store.catalog().ended(AlertSampler.MAX_ENDED))
        .ifPresent(
            ended ->
                number(
                    out,
                    "semel_expired_records",
                    "Records that are still there although their retention has ended",
                    ended));
    CachedReading.read(store::room)
        .flatMap(room -> room)
        .ifPresent(
            room ->
                out.gauge(
                        "semel_storage_used_percent",
                        "How much of the room that the store may take is taken")
                    .sample(100 * room.share()));
    CachedReading.read(() -> ClockSkew.measure(store, platform.clock()))
        .ifPresent(
            skew ->
                out.gauge("semel_clock_skew_seconds", "How far this clock is from the store's")
                    .sample(skew.sure().toMillis() / MILLIS));
  }

  private void disks(PrometheusText out) {
    CachedReading.read(sources.disks())
        .ifPresent(
            disks ->
                disks.forEach(
                    (name, room) ->
                        out.gauge("semel_disk_used_percent", "How much of a disk is taken")
                            .sample(100 * room.share(), "disk", name)));
  }

  private static void outbox(PrometheusText out, OutboxOperations.Status status) {
    number(out, "semel_outbox_pending", "Messages that wait", status.pending());
    number(out, "semel_outbox_failing", "Of those, refused at least once", status.failing());
    number(out, "semel_outbox_dead_letters", "Messages that were given up", status.dead());
    number(out, "semel_outbox_kept", "Messages kept as history", status.kept());
    number(out, "semel_outbox_relays", "Relays that live", status.relays().size());
    out.gauge("semel_outbox_oldest_age_seconds", "Of those that wait")
        .sample(seconds(status.oldest()));
  }

  /**
   * Reads the counts again only after {@link #DEAR}, because counting is costly; except dead
   * letters.
   */
  private void inbox(PrometheusText out, InboxOperations operations) {
    inbox
        .get()
        .flatMap(known -> CachedReading.read(() -> operations.recounted(known)))
        .ifPresent(status -> inbox(out, status));
  }

  private static void inbox(PrometheusText out, InboxOperations.Status status) {
    sum(out, status, "semel_inbox_ids", "Ids that are kept", c -> c.ids());
    sum(out, status, "semel_inbox_pending", "Stored messages that wait", c -> c.pending());
    sum(
        out,
        status,
        "semel_inbox_dead_letters",
        "Stored messages that were given up",
        c -> c.dead());
    sum(out, status, "semel_inbox_in_doubt", "Messages in doubt", c -> c.inDoubt());
  }

  private static void sum(
      PrometheusText out,
      InboxOperations.Status status,
      String name,
      String help,
      ToLongFunction<InboxOperations.ConsumerStatus> value) {
    number(out, name, help, status.consumers().stream().mapToLong(value).sum());
  }

  private static void jobs(PrometheusText out, SortedMap<Operation, JobOperations.Counts> queues) {
    int shown = 0;
    for (Map.Entry<Operation, JobOperations.Counts> entry : queues.entrySet()) {
      if (shown++ == OperationMetrics.MAX_OPERATIONS) {
        return;
      }
      String queue = entry.getKey().name();
      JobOperations.Counts counts = entry.getValue();
      job(out, "semel_job_pending", "Jobs that wait", queue, counts.pending());
      job(out, "semel_job_delayed", "Of those, wait for their time", queue, counts.delayed());
      job(out, "semel_job_processing", "Jobs that a worker has", queue, counts.processing());
      job(out, "semel_job_dead_letters", "Jobs that were given up", queue, counts.failed());
      job(out, "semel_job_in_doubt", "Jobs in doubt", queue, counts.inDoubt());
      out.gauge("semel_job_oldest_age_seconds", "How long the one has been due that waits longest")
          .sample(seconds(counts.oldest()), "operation", queue);
    }
  }

  private static void job(PrometheusText out, String name, String help, String queue, long value) {
    out.gauge(name, help).sample((double) value, "operation", queue);
  }

  /** Shows every rule, so that one that never fired is seen to be watched. */
  private void alerts(PrometheusText out) {
    List<Alert> all = own.alerts().get();
    PrometheusText.Family firing = out.gauge("semel_alerts_firing", "Alerts that fire, by rule");
    for (AlertRule rule : AlertRule.values()) {
      long count =
          all.stream().filter(a -> a.rule() == rule && a.state() == Alert.State.FIRING).count();
      firing.sample(
          (double) count, "alert", rule.word(), "severity", PrintableText.word(rule.severity()));
    }
  }

  private void webhooks(PrometheusText out) {
    List<WebhookCounts> all = own.webhooks().get();
    if (all.isEmpty()) {
      return;
    }
    PrometheusText.Family sent =
        out.counter("semel_webhook_deliveries_total", "What became of what webhooks were to tell");
    webhook(sent, all, "delivered", WebhookCounts::delivered);
    webhook(sent, all, "failed", WebhookCounts::failed);
    webhook(sent, all, "refused", WebhookCounts::refused);
    webhook(sent, all, "lost", WebhookCounts::lost);
    webhook(sent, all, "overflowed", WebhookCounts::overflowed);
    number(
        out,
        "semel_webhook_waiting",
        "What webhooks have yet to tell",
        all.stream().mapToLong(WebhookCounts::waiting).sum());
  }

  private static void webhook(
      PrometheusText.Family sent,
      List<WebhookCounts> all,
      String outcome,
      ToLongFunction<WebhookCounts> value) {
    sent.sample((double) all.stream().mapToLong(value).sum(), "outcome", outcome);
  }

  private static void number(PrometheusText out, String name, String help, long value) {
    out.gauge(name, help).sample((double) value);
  }

  private static double seconds(Optional<Duration> age) {
    return age.map(a -> a.toMillis() / MILLIS).orElse(0.0);
  }
}
