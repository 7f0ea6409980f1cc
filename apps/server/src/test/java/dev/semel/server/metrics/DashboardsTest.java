package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSources;
import dev.semel.idempotency.MemoryStore;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.junit.ProjectRoot;
import dev.semel.loop.Platform;
import dev.semel.tck.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every metric that {@code deploy/} queries exists. */
class DashboardsTest {
  private static final Path DEPLOY = ProjectRoot.resolve("deploy");
  private static final Path RULES = DEPLOY.resolve("prometheus/semel-rules.yml");
  private static final Path DASHBOARD = DEPLOY.resolve("grafana/semel.json");

  /** Generated from the code of server and libraries; semel-doctest checks it. */
  private static final Path METERS = ProjectRoot.resolve("docs/reference/meters.md");

  private static final Pattern METRIC = Pattern.compile("\\bsemel_[a-z_]+");
  private static final Pattern PART = Pattern.compile("_(bucket|sum|count)$");

  private static Set<String> asked(Path file) throws IOException {
    return METRIC
        .matcher(Files.readString(file))
        .results()
        .map(found -> PART.matcher(found.group()).replaceFirst(""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyNameInThemExists() throws IOException {
    Set<String> there = asked(METERS);
    assertThat(asked(DASHBOARD)).hasSizeGreaterThan(20).isSubsetOf(there);
    assertThat(asked(RULES)).hasSizeGreaterThan(10).isSubsetOf(there);
  }

  @Test
  void prometheusHasAnAlertForEveryRuleWithItsRunbook() throws IOException {
    String rules = Files.readString(RULES);
    for (AlertRule rule : AlertRule.values()) {
      assertThat(rules).contains("runbook: " + rule.runbook() + "\n");
      assertThat(ProjectRoot.resolve(rule.runbook())).exists();
    }
    assertThat(rules.lines().filter(line -> line.strip().startsWith("- alert:")))
        .hasSize(AlertRule.values().length);
  }

  @Test
  void theDashboardIsJsonThatGrafanaKnowsByItsName() throws IOException {
    JsonObject dashboard = (JsonObject) Json.parse(Files.readAllBytes(DASHBOARD));
    assertThat(dashboard.members()).containsKeys("uid", "title", "panels", "templating");
    JsonArray panels = (JsonArray) dashboard.get("panels").orElseThrow();
    Set<String> places = new TreeSet<>();
    Set<String> ids = new TreeSet<>();
    for (JsonValue each : panels.items()) {
      JsonObject panel = (JsonObject) each;
      assertThat(places.add(Json.write(panel.get("gridPos").orElseThrow()))).isTrue();
      assertThat(ids.add(Json.write(panel.get("id").orElseThrow()))).isTrue();
    }
  }

  @Test
  void whatWaitsIsShown() {
    AlertSources sources =
        AlertSources.of(new MemoryStore(new ManualClock()))
            .withMessages(new StandingOutbox(), new StandingInbox());
    Scraped scraped =
        Scraped.parse(
            MetricsRoute.of(Platform.REAL, sources, List::of, List::of)
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
