package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyState;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.StoreStats;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.admin.remote.RemoteControlCenter;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import dev.semel.json.Json;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An application, a server that watches its store, and a client of that server. */
@Tag("service")
@ExtendWith(SharedServices.class)
class WatchedApplicationTest {
  private static final Pattern ADDRESS =
      Pattern.compile("administering \\S+ on (http://127\\.0\\.0\\.1:\\d+)/api/v1");
  private static final Operation EXPORTS = new Operation("exports");

  @TempDir Path folder;

  @Test
  void whatAnApplicationOnRedisAndPostgresDoesIsSeenAndSteered(
      RedisService redis, PostgresService postgres) throws Exception {
    watch(redis.url() + "/3", postgres.freshDatabase().url());
  }

  @Test
  void whatAnApplicationOnPostgresAloneDoesIsSeenAndSteered(PostgresService postgres)
      throws Exception {
    String url = postgres.freshDatabase().url();
    watch(url, url);
  }

  private void watch(String store, String database) throws Exception {
    try (WatchedApplication application = new WatchedApplication(folder, store, database);
        RunningCommand server = serve(store, database);
        ControlCenter center = new RemoteControlCenter(address(server), "")) {
      soon(() -> !application.said().isEmpty());
      MemberReader counted = MemberReader.of(Json.parse(application.said().getFirst()));
      soon(
          () ->
              counts(center, "payments").get(DecisionCounter.REQUESTS)
                  == counted.number("requests"));
      compare(center, counted);
      steer(center, application);
    }
  }

  private static void compare(ControlCenter center, MemberReader counted) {
    DecisionCounts payments = counts(center, "payments");
    assertThat(payments.get(DecisionCounter.EXECUTED)).isEqualTo(counted.number("paid"));
    assertThat(payments.get(DecisionCounter.DUPLICATES))
        .isEqualTo(counted.number("requests") - counted.number("paid"));
    assertThat(center.count(KeyFilter.startingWith("default/payments:")))
        .isEqualTo(counted.number("paid"));
    assertThat(center.count(new KeyFilter("default/payments:", "", Set.of(KeyState.COMPLETED))))
        .isEqualTo(counted.number("paid"));
    QueueAdmin jobs = center.jobs().orElseThrow();
    JobOperations.Counts exports = Objects.requireNonNull(jobs.counts().get(EXPORTS));
    assertThat(exports.completed()).isEqualTo(counted.number("exported"));
    assertThat(exports.dead()).isEqualTo(counted.number("dead"));
    OutboxOperations.Status outbox = center.outbox().orElseThrow().status();
    assertThat(outbox.pending()).isEqualTo(counted.number("messages"));
    assertThat(center.inbox().orElseThrow().status().consumers())
        .extracting(each -> each.consumer() + " " + each.ids())
        .containsExactly("ledger " + counted.number("heard"));
  }

  private static DecisionCounts counts(ControlCenter center, String operation) {
    return center.stats().operations().stream()
        .filter(each -> each.scope().operation().name().equals(operation))
        .map(StoreStats.Operation::counts)
        .findFirst()
        .orElse(DecisionCounts.ZERO);
  }

  private static void steer(ControlCenter center, WatchedApplication application) {
    QueueAdmin jobs = center.jobs().orElseThrow();
    Key dead = jobs.list(Optional.of(EXPORTS), QueueAdmin.DEAD, "", 10).entries().getFirst().key();
    assertThat(jobs.retry(dead)).isTrue();
    soon(() -> application.said().contains("REPAIRED"));
    soon(() -> jobs.find(dead).orElseThrow().state() == JobState.COMPLETED);

    soon(() -> counts(center, "probes").get(DecisionCounter.DUPLICATES) > 0);
    center.change(new Operation("probes"), Map.of(OperationSetting.MODE, "observe"));
    long changed = System.nanoTime();
    soon(() -> application.said().contains("RELAXED"));
    // Within 5 s, unless the machine is very busy: reported, not asserted.
    System.out.printf(
        "a change of settings reached the application after %d ms%n",
        Duration.ofNanos(System.nanoTime() - changed).toMillis());
    assertThat(center.latest("changed", 10)).hasSize(2);
  }

  private static void soon(Callable<Boolean> condition) {
    await().until(condition);
  }

  private RunningCommand serve(String store, String database) {
    return new Cli(folder)
        .start(
            "serve",
            "--port",
            "0",
            "--streams",
            "memory:",
            "--store",
            store,
            "--database",
            database);
  }

  private static URI address(RunningCommand server) {
    soon(() -> !server.isAlive() || ADDRESS.matcher(server.errSoFar()).find());
    Matcher address = ADDRESS.matcher(server.errSoFar());
    assertThat(address.find()).as(server.errSoFar()).isTrue();
    return URI.create(address.group(1));
  }
}
