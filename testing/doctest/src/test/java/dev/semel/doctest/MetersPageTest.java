package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.MemoryJobs;
import dev.semel.micrometer.MeterSettings;
import dev.semel.micrometer.SemelMeters;
import dev.semel.micrometer.StatusMeters;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.server.WebhookReceivers;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.gateway.Upstream;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.stream.MemoryStreams;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.internal.EventFeed;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every meter that an application, the server or a gateway has, as Prometheus is told of it. */
class MetersPageTest {
  private static final Pattern HELP = Pattern.compile("# HELP (\\S+) ?(.*)");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)\\{(.*)\\} .*");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
  private static final Pattern PART = Pattern.compile("_(bucket|sum|count|max)$");

  @TempDir Path folder;

  /** What is known of one meter. */
  private static final class Meter {
    String help = "";
    String type = "";
    final TreeSet<String> labels = new TreeSet<>();
    final TreeSet<String> where = new TreeSet<>();
  }

  private final Map<String, Meter> meters = new TreeMap<>();

  private void read(String exposition, String where) {
    for (String line : exposition.lines().toList()) {
      var help = HELP.matcher(line);
      var type = TYPE.matcher(line);
      var sample = SAMPLE.matcher(line);
      if (help.matches()) {
        meter(help.group(1)).help = help.group(2);
      } else if (type.matches()) {
        meter(type.group(1)).type = type.group(2);
        meter(type.group(1)).where.add(where);
      } else if (sample.matches()) {
        String name = sample.group(1);
        String family = meters.containsKey(name) ? name : PART.matcher(name).replaceFirst("");
        LABEL
            .matcher(sample.group(2))
            .results()
            .map(found -> found.group(1))
            .filter(label -> !label.equals("le"))
            .forEach(meter(family).labels::add);
      }
    }
  }

  private Meter meter(String name) {
    return meters.computeIfAbsent(name, any -> new Meter());
  }

  @Test
  void theTableHasEveryMeter() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
        JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
        JdbcInbox inbox = JdbcInbox.on(store)) {
      read(application(store, outbox, inbox), "application");
      read(server(outbox, inbox), "server");
      read(gateway(), "gateway");
    }
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("meter", "type", "labels", "where", "what"));
    table.append(Generated.row("---", "---", "---", "---", "---"));
    meters.forEach(
        (name, meter) ->
            table.append(
                Generated.row(
                    "`" + name + "`",
                    meter.type,
                    String.join(", ", meter.labels),
                    String.join(", ", meter.where),
                    meter.help)));
    Generated.part(Book.DOCS.resolve("reference/meters.md"), "meters", table.toString());
  }

  private static String application(SqliteStore store, JdbcOutbox outbox, JdbcInbox inbox) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    SemelMeters meters = new SemelMeters(registry);
    SampleEvents.all().forEach(meters::on);
    try (StatusMeters gauges =
        StatusMeters.start(
            registry,
            new StatusMeters.Sources(
                store, Optional.of(outbox.operations()), Optional.of(inbox.operations())),
            MeterSettings.defaults())) {
      gauges.refresh();
      return registry.scrape();
    }
  }

  private static String gateway() throws Exception {
    HttpServer backend =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    backend.createContext("/", MetersPageTest::done);
    backend.start();
    GatewaySettings settings =
        GatewaySettings.to(Upstream.parse("http://127.0.0.1:" + backend.getAddress().getPort()))
            .withAddress("127.0.0.1", 0, false);
    try (MemoryStore store = new MemoryStore(InstantSource.system());
        Gateway gateway = Gateway.start(settings, store)) {
      String address = "http://127.0.0.1:" + gateway.port();
      post(address + "/payments");
      return get(address + "/.semel/metrics");
    } finally {
      backend.stop(0);
    }
  }

  private static void done(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  private static void post(String address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(address))
              .header("Idempotency-Key", "k")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
    }
  }

  private static String get(String address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  private static String server(JdbcOutbox outbox, JdbcInbox inbox) throws Exception {
    MemoryStore store = new MemoryStore(InstantSource.system());
    store
        .statistics()
        .add(
            Map.of(
                new Scope(Tenant.DEFAULT, new Operation("payments")),
                new DecisionCounts(
                    Arrays.stream(DecisionCounter.values())
                        .collect(Collectors.toMap(counter -> counter, counter -> 1L)))));
    MemoryJobs jobs = new MemoryJobs(InstantSource.system());
    EnqueueResult unused = jobs.enqueue(Job.of(Key.of("emails", "1"), "{}"));
    AdminTargets targets =
        AdminTargets.of(store)
            .withOutbox(outbox.operations())
            .withInbox(inbox.operations())
            .withJobs(jobs)
            .withDisks(() -> Map.of("store", new Store.Room(1, 2)));
    WebhookReceivers webhooks =
        WebhookReceivers.of(List.of(Webhook.to("http://127.0.0.1:9")))
            .withEvents(new EventFeed.Filter(EventFeed.Filter.DUPLICATES, Set.of()));
    try (MemoryStreams streams = new MemoryStreams(InstantSource.system());
        SemelServer server =
            SemelServer.start(
                ServerSettings.defaults().withAddress("127.0.0.1", 0),
                ServerBackend.of(streams).withTargets(targets).withWebhooks(webhooks))) {
      return get("http://127.0.0.1:" + server.port() + MetricsRoute.PATH);
    }
  }
}
