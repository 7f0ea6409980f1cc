package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.alert.Rule;
import dev.semel.alert.Sources;
import dev.semel.event.Event;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.StatisticsStore.Scope;
import dev.semel.idempotency.Store;
import dev.semel.job.Enqueued;
import dev.semel.job.Job;
import dev.semel.job.MemoryJobs;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.Machine;
import dev.semel.micrometer.SemelMeters;
import dev.semel.server.http.Departure;
import dev.semel.server.stream.Shared;
import dev.semel.server.stream.Watcher;
import dev.semel.stream.MemoryStreams;
import dev.semel.tck.ManualClock;
import dev.semel.webhook.WebhookCounts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What {@code deploy/} asks Prometheus for is there. */
class DashboardsTest {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Path RULES = DEPLOY.resolve("prometheus/semel-rules.yml");
  private static final Path DASHBOARD = DEPLOY.resolve("grafana/semel.json");
  private static final Pattern METRIC = Pattern.compile("\\bsemel_[a-z_]+");
  private static final Pattern PART = Pattern.compile("_(bucket|sum|count)$");

  private static Set<String> asked(Path file) throws IOException {
    return METRIC
        .matcher(Files.readString(file))
        .results()
        .map(found -> PART.matcher(found.group()).replaceFirst(""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> ofTheServer() {
    MemoryStore store = new MemoryStore(new ManualClock());
    store
        .statistics()
        .add(
            Map.of(
                new Scope(Tenant.DEFAULT, new Operation("payments")),
                new Counts(Map.of(Counter.REQUESTS, 1L))));
    MemoryJobs jobs = new MemoryJobs(new ManualClock());
    Enqueued unused = jobs.enqueue(Job.of(Key.of("emails", "1"), "{}"));
    Sources sources =
        Sources.of(store)
            .withMessages(new StandingOutbox(), new StandingInbox())
            .withJobs(jobs.operations())
            .withDisks(() -> Map.of("store", new Store.Room(1, 2)));
    Metrics metrics =
        Metrics.of(
                Machine.REAL, sources, List::of, () -> List.of(new WebhookCounts(0, 0, 0, 0, 0, 0)))
            .with(new MemoryStreams(new ManualClock()), Shared.with(Watcher.NONE, new Departure()));
    return new TreeSet<>(Scraped.parse(metrics.text().toCompletableFuture().join()).names());
  }

  private static Set<String> ofApplications() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    SemelMeters meters = new SemelMeters(registry);
    meters.on(new Event.Completed(Key.of("payments", "1"), "", 1, Duration.ofSeconds(1), 1));
    Event.Mention message = new Event.Mention("id", "orders", "", "");
    meters.on(new Event.Published(message, false));
    meters.on(new Event.Consumed(new Event.Mention("id", "orders", "ledger", "")));
    return Pattern.compile("# TYPE (\\S+) ")
        .matcher(registry.scrape())
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyNameInThemExists() throws IOException {
    Set<String> there = ofTheServer();
    there.addAll(ofApplications());
    assertThat(asked(DASHBOARD)).hasSizeGreaterThan(20).isSubsetOf(there);
    assertThat(asked(RULES)).hasSizeGreaterThan(10).isSubsetOf(there);
  }

  @Test
  void prometheusHasAnAlertForEveryRuleWithItsRunbook() throws IOException {
    String rules = Files.readString(RULES);
    for (Rule rule : Rule.values()) {
      assertThat(rules).contains("runbook: " + rule.runbook() + "\n");
      assertThat(Path.of("..").resolve(rule.runbook())).exists();
    }
    assertThat(rules.lines().filter(line -> line.strip().startsWith("- alert:")))
        .hasSize(Rule.values().length);
  }

  @Test
  void theDashboardIsJsonThatGrafanaKnowsByItsName() throws IOException {
    JsonObject dashboard = (JsonObject) Json.parse(Files.readAllBytes(DASHBOARD));
    assertThat(dashboard.members()).containsKeys("uid", "title", "panels", "templating");
  }

  @Test
  void whatWaitsIsShown() {
    Sources sources =
        Sources.of(new MemoryStore(new ManualClock()))
            .withMessages(new StandingOutbox(), new StandingInbox());
    Scraped scraped =
        Scraped.parse(
            Metrics.of(Machine.REAL, sources, List::of, List::of)
                .text()
                .toCompletableFuture()
                .join());
    assertThat(scraped.value("semel_outbox_pending")).isEqualTo(3);
    assertThat(scraped.value("semel_outbox_oldest_age_seconds")).isEqualTo(90.5);
    assertThat(scraped.value("semel_inbox_ids")).isEqualTo(20);
    assertThat(scraped.value("semel_inbox_dead_letters")).isEqualTo(6);
    assertThat(scraped.value("semel_inbox_in_doubt")).isEqualTo(2);
  }
}
