package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    // A key, so that the store is not empty.
    cli.call("run", "--key", "payments:1", "--", "true");
    count(
        "payments",
        new DecisionCounts(
            Map.of(DecisionCounter.REQUESTS, 5000L), Map.of(DuplicateAge.HOUR, 2000L)));
    count("mails", new DecisionCounts(Map.of(), Map.of(DuplicateAge.HOUR, 3L)));
  }

  private void count(String operation, DecisionCounts counts) {
    try (SqliteStore store = SqliteStore.open(cli.database(), InstantSource.system())) {
      store.statistics().add(Map.of(new Scope(Tenant.DEFAULT, new Operation(operation)), counts));
    }
  }

  @Test
  void aTableSaysWhatToChangeWhyAndHow() {
    Cli.Result advised = cli.call("advise");
    assertThat(advised.code()).isZero();
    assertThat(advised.out().lines())
        .contains(
            "payments: keep records for 2h instead of 24h",
            "    99.9 % of 2,000 duplicates arrived within 1h of the first request; records are kept for 24h (the default).",
            "    semel queues set payments retention=2h",
            "mails: 3 duplicates so far; with fewer than 1,000 nothing is said about the retention")
        .anyMatch(line -> line.matches("    The store would hold about .* less\\."));
  }

  @Test
  void programsGetTheSame() {
    JsonObject all = cli.call("advise", "-o", "json").json();
    JsonArray advice = (JsonArray) all.get("advice").orElseThrow();
    assertThat(advice.items()).hasSize(1);
    JsonObject one = (JsonObject) advice.items().getFirst();
    assertThat(one.members().keySet())
        .containsExactly("operation", "topic", "title", "why", "change", "todo", "saved_bytes");
    assertThat(one.get("topic")).contains(JsonValue.of("retention-too-long"));
    assertThat(one.get("change")).contains(Json.parse("{\"retention\":\"2h\"}"));
    assertThat(((JsonArray) all.get("withheld").orElseThrow()).items()).hasSize(1);
    assertThat(cli.call("advise", "-o", "jsonl").out()).hasLineCount(1);
    assertThat(cli.call("advise", "-o", "plain").out())
        .startsWith("payments\tretention-too-long\tretention=2h\t");
  }

  @Test
  void oneOperationAlone() {
    assertThat(cli.call("advise", "--operation", "mails").out())
        .isEqualTo(
            "nothing to tune\nmails: 3 duplicates so far; with fewer than 1,000 nothing is said about the retention\n");
    assertThat(cli.call("advise", "--operation", "nobody").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(cli.call("advise", "--operation", "not a name").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void theShareIsSettable() {
    assertThat(cli.call("advise", "--percent", "99.99").out())
        .contains("with fewer than 10,000 nothing is said");
    assertThat(cli.call("advise", "--percent", "100").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void adviceIsAppliedOnlyWhenConfirmedAndTheEventLogCallsItOne() {
    Cli.Result refused = cli.call("advise", "--apply");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("payments retention=2h");
    assertThat(cli.call("queues", "list").out()).doesNotContain("retention=2h");
    assertThat(cli.call("audit", "list", "--kind", "changed", "-o", "jsonl").out()).isEmpty();

    Cli.Result applied = cli.call("advise", "--apply", "-y", "-o", "json");

    assertThat(applied.code()).isZero();
    assertThat(((JsonArray) applied.json().get("applied").orElseThrow()).items()).hasSize(1);
    assertThat(cli.call("queues", "list").out()).contains("retention=2h");
    assertThat(cli.call("audit", "list", "--kind", "changed").out().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("action=change settings to"))
        .anyMatch(line -> line.contains("action=apply advice retention-too-long: retention=2h"));
    Cli.Result again = cli.call("advise", "--apply", "-y");
    assertThat(again.code()).isZero();
    assertThat(again.err()).contains("there is nothing to change");
  }

  @Test
  void whoSaysNoChangesNothing() {
    assertThat(cli.typing("n\n").call("advise", "--apply").code()).isEqualTo(ExitCode.FAILED);
    assertThat(cli.call("queues", "list").out()).doesNotContain("retention=2h");
  }

  @Test
  void aBrokerNeedsItsDestinations() {
    assertThat(cli.call("advise", "--broker", "nats://127.0.0.1:1").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(cli.call("advise", "--destination", "orders").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aBrokerMayBeNamedByAVariableThatAloneAsksForNothing() {
    cli.with("SEMEL_BROKER", "nats://127.0.0.1:1");
    assertThat(cli.call("advise").code()).isZero();
    Cli.Result away = cli.call("advise", "--destination", "orders");
    assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(away.err()).contains("127.0.0.1:1");
  }
}
